import type { Command } from 'commander';
import { word } from './words/word.js';

export function registerSchema(schema: Command): void {
  schema
    .argument('[operation]', word('schema.operation'))
    .option('--json', word('flag.json'))
    .action(async (name: string | undefined, options) =>
      (await import('./operations/operation-commands.js')).schemaCommand(name, options),
    );
}
