import type { Command } from 'commander';
import { word } from './words/word.js';

export function registerInit(init: Command): void {
  init
    .option('--repo <folder>', word('flag.repo'), '.')
    .option('--yes', word('init.yes'))
    .option('--dry-run', word('flag.dry-run'))
    .option('--json', word('flag.json'))
    .action(async (options) => (await import('./init/init-command.js')).initCommand(options));
}
