// galley receipts: what was sent from here, newest first, or one receipt in words and whether it still is what was sealed.

import type { Receipt } from '../../../core/model/receipt.js';
import type { AnswerOf } from '../../../operations/table.js';
import { colours } from '../terminal/colours.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { type WriteOptions, withWriteProject } from '../write/write-project.js';

export async function receiptsCommand(id: string | undefined, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    if (id === undefined) {
      const answer = await project.call('receipts:list');
      return project.json ? printJson(answer) : print(listed(answer));
    }
    const shown = await project.call('receipts:get', { id });
    if (project.json) return printJson(shown);
    print(`${sealWords(shown)}\n${isReceipt(shown.value) ? explainReceipt(shown.value) : ''}`);
  });
}

function listed({ receipts }: AnswerOf<'receipts:list'>): string {
  if (receipts.length === 0) return `${word('receipts.none')}\n`;
  const columns = [
    { title: word('receipts.col.when') },
    { title: word('receipts.col.operation') },
    { title: word('receipts.col.used'), align: 'right' as const },
    { title: word('receipts.col.id'), shrink: true },
  ];
  const rows = receipts.map(({ id, operation, createdAt, summary }) => {
    const used = summary.used ?? summary.tokens;
    const amount = typeof used === 'number' ? grouped(used) : '';
    return [new Date(createdAt).toISOString().slice(0, 16).replace('T', ' '), operation, amount, id];
  });
  return textTable(columns, rows, { width: terminalWidth() });
}

function sealWords({ id, operation, seal }: AnswerOf<'receipts:get'>): string {
  const colour = { sealed: colours.green, altered: colours.red, unverified: colours.yellow }[seal];
  return `${colours.bold(id)} ${operation}\n${colour(word(`receipts.${seal}`))}`;
}

/** Older versions kept other things under the same roof. */
function isReceipt(value: unknown): value is Receipt {
  const { ledger, layers, budget, used, meter, concessions, warnings } = (value ?? {}) as Partial<Receipt>;
  const lists = [ledger, layers, warnings];
  return lists.every(Array.isArray) && [budget, used, meter, concessions].every((fact) => fact !== undefined);
}
