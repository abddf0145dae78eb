import type { Command } from 'commander';
import { word } from './words/word.js';

export function registerReceipts(receipts: Command): void {
  receipts
    .argument('[id]', word('receipts.id'))
    .option('--project <id>', word('receipts.project'))
    .option('--store <file>', word('flag.store'))
    .option('--json', word('flag.json'))
    .action(async (id, options) =>
      (await import('./operations/receipts-command.js')).receiptsCommand(id, options),
    );
}
