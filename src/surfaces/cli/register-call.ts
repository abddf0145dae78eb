import type { Command } from 'commander';
import { word } from './words/word.js';

export function registerCall(call: Command): void {
  call
    .argument('<operation>', word('call.operation'))
    .option('--store <file>', word('flag.store'))
    .option('--json', word('call.json'))
    .action(async (operation: string, options) =>
      (await import('./operations/operation-commands.js')).callCommand(operation, options),
    );
}
