import type { Command } from 'commander';
import { word } from './words/word.js';

export function registerSchema(program: Command): void {
  program
    .command('schema')
    .argument('[operation]', word('schema.operation'))
    .description(word('schema.about'))
    .option('--json', word('flag.json'))
    .action(async (name: string | undefined, options) =>
      (await import('./schema-command.js')).schemaCommand(name, options),
    );
}
