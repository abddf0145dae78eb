// One page, one reading of the answer: what cannot be read is asked for once more, with the fault named, as the next call of the same
// conversation. What the first answer said never goes into the second question.
import { extend } from '../../core/extend.js';
import { type ErrorCode, isGalleyError, toGalleyError, type Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import { withoutSpans } from '../../core/seal/seal.js';
import { hashText } from '../../meters/content-hash.js';
import type { AskOptions } from '../../models/ask-model.js';
import type { ModelAnswer, RunRecord } from '../../models/contract/model.js';
import type { ReviewFinding } from '../findings/finding.js';
import { type ReadAnswer, readFindingsAnswer } from '../findings/read-answer.js';
import type { Reviewer } from './reviewer.js';

export interface PageAnswer {
  /** `partial`: some findings may be missing, since the answer ended early. */
  readonly status: 'reviewed' | 'partial' | 'failed';
  readonly findings: readonly ReviewFinding[];
  readonly warnings: readonly Warning[];
  /** Why it failed. */
  readonly code?: ErrorCode;
  /** The same in words, where there are any. */
  readonly why?: string;
  /** Of the calls that were answered. */
  readonly runs: readonly RunRecord[];
  /** Of the second question, where one was asked. */
  readonly again?: Receipt;
}

const faults = {
  empty: 'it was empty',
  unreadable: 'it held no JSON object with a list "findings"',
  cut: 'it ended in the middle; report fewer findings, the worst first, in fewer words',
} as const;
type Fault = keyof typeof faults;

/** The most words a second question adds: a page keeps room for them. */
export const longestAgain = Object.keys(faults)
  .map((fault) => askAgain(fault as Fault))
  .reduce((longest, words) => (words.length > longest.length ? words : longest));

export async function askPage(
  reviewer: Reviewer,
  sealed: SealedPrompt,
  { meter, ...options }: Omit<AskOptions, 'kind'> & { readonly meter: Meter },
): Promise<PageAnswer> {
  const runs: RunRecord[] = [];
  let again: Receipt | undefined;
  const ask = async (page: SealedPrompt, kind: AskOptions['kind']) => {
    const { answer, record } = await reviewer.ask(page, { ...options, kind });
    runs.push(record);
    const read = readFindingsAnswer(answer.text);
    return { read, fault: faultOf(read, answer) };
  };
  const answered = (status: PageAnswer['status'], reads: readonly ReadAnswer[]): PageAnswer => ({
    status,
    findings: reads.flatMap(({ findings }) => findings),
    warnings: reads.flatMap(({ warnings }) => warnings),
    runs,
    ...(again === undefined ? {} : { again }),
  });
  const failed = (error: unknown): PageAnswer => ({
    ...answered('failed', []),
    code: toGalleyError(error, 'MODEL_UNAVAILABLE').code,
    ...(isGalleyError(error) ? { why: error.message } : {}),
  });
  let first: Awaited<ReturnType<typeof ask>>;
  try {
    first = await ask(sealed, 'review-page');
  } catch (error) {
    return failed(error);
  }
  if (first.fault === undefined) return answered('reviewed', [first.read]);
  const something = first.fault === 'cut' && first.read.readable;
  try {
    const added = { fragment: 'again', source: 'reviewer', layer: 'frame', words: askAgain(first.fault) };
    const next = extend(sealed, added, { meter, hash: hashText });
    again = withoutSpans(next.receipt);
    const second = await ask(next, 'review-page-again');
    if (second.fault === undefined) return answered('reviewed', [second.read]);
    if (something || second.read.readable) return answered('partial', [first.read, second.read]);
  } catch (error) {
    return something ? answered('partial', [first.read]) : failed(error);
  }
  return { ...answered('failed', []), code: 'MODEL_ANSWER_INVALID' };
}

function askAgain(fault: Fault): string {
  return `\nYour last answer could not be used: ${faults[fault]}. Answer again with nothing but the JSON object.\n`;
}

function faultOf({ readable, whole }: ReadAnswer, { text, finish }: ModelAnswer): Fault | undefined {
  if (text.trim() === '') return 'empty';
  if (finish === 'length' || !whole) return 'cut';
  return readable ? undefined : 'unreadable';
}
