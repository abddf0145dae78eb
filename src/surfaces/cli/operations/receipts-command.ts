// galley receipts: what was sent from here, newest first, or one receipt in words and whether it still is what was sealed.

import { basename } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import type { Receipt } from '../../../core/model/receipt.js';
import type { AnswerOf } from '../../../operations/table.js';
import { savedPage } from '../../page/saved-page.js';
import { writeWhole } from '../review/review-run-command.js';
import { colours } from '../terminal/colours.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say } from '../terminal/talk.js';
import { spokenLanguage, word } from '../words/word.js';
import { type WriteOptions, withWriteProject } from '../write/write-project.js';

export interface ReceiptOptions extends WriteOptions {
  readonly html?: string;
}

export async function receiptsCommand(id: string | undefined, options: ReceiptOptions): Promise<void> {
  if (id === undefined && options.html !== undefined)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      '--html needs the id of the receipt; "galley receipts" lists them.',
      {
        details: { field: 'html' },
      },
    );
  // Reviews belong to the folder one stands in, not to a project that is named.
  const where = options.project === undefined ? {} : { sentHere: async () => undefined };
  await withWriteProject(options, 'reads', async (project) => {
    if (id === undefined) {
      const answer = await project.call('receipts:list', {}, where);
      return project.json ? printJson(answer) : print(listed(answer));
    }
    const shown = await project.call('receipts:get', { id }, where);
    if (options.html !== undefined) return writeReceiptPage(shown, options.html);
    if (project.json) return printJson(shown);
    print(`${sealWords(shown)}\n${isReceipt(shown.value) ? explainReceipt(shown.value) : ''}`);
  });
}

async function writeReceiptPage(shown: AnswerOf<'receipts:get'>, file: string): Promise<void> {
  if (!isReceipt(shown.value))
    throw new GalleyError('INVALID_ARGUMENT', 'This receipt is of another version and cannot be drawn.', {
      details: { field: 'html' },
    });
  const { id, operation, createdAt, seal, value } = shown;
  const receipt = { id, operation, createdAt, seal, value };
  await writeWhole(file, await savedPage({ receipt }, spokenLanguage()), '--html');
  say(word('review.html-written', { file: basename(file) }));
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
