// One message, one reading of the answer: what cannot be read is asked for once more, with the fault named, as the next call of the
// same conversation. What the first answer said never goes into the second question.
import { extend } from '../../core/extend.js';
import { type ErrorCode, isGalleyError, toGalleyError, type Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import { withoutSpans } from '../../core/seal/seal.js';
import { hashText } from '../../meters/content-hash.js';
import type { AskOptions } from '../../models/ask-model.js';
import type { ModelAnswer, RunRecord } from '../../models/contract/model.js';
import { type ReadAnswer, readFindingsAnswer } from '../findings/read-answer.js';
import type { KeptAnswers } from './kept-answers.js';
import type { Reviewer } from './reviewer.js';

export type Failure = {
  readonly code: ErrorCode;
  /** The same in words, where there are any. */
  readonly why?: string;
};

export type ReadMessage =
  | {
      readonly kind: 'answered';
      /** What was sent last, and what was answered to it. */
      readonly sealed: SealedPrompt;
      readonly text: string;
      readonly read: ReadAnswer;
    }
  /** Some findings may be missing, since the answer ended early. */
  | { readonly kind: 'partial'; readonly reads: readonly ReadAnswer[] }
  | ({ readonly kind: 'failed' } & Failure);

/** What came of the calls for one page. */
export interface PageLog {
  /** Of the calls that were answered. */
  readonly runs: RunRecord[];
  /** Of the calls after the first. */
  readonly receipts: Receipt[];
  readonly warnings: Warning[];
}

export interface ReadOptions extends AskOptions {
  readonly meter: Meter;
  readonly log: PageLog;
  readonly kept: Pick<KeptAnswers, 'sent'>;
  /** Whether an answer that only asks for more is one. */
  readonly mayAsk: boolean;
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

export async function askReadable(
  reviewer: Reviewer,
  sealed: SealedPrompt,
  { meter, log, mayAsk, ...options }: ReadOptions,
): Promise<ReadMessage> {
  const ask = async (message: SealedPrompt, kind: AskOptions['kind']) => {
    if (message.receipt.previous !== undefined) log.receipts.push(withoutSpans(message.receipt));
    const { answer, record } = await reviewer.ask(message, { ...options, kind });
    log.runs.push(record);
    const read = readFindingsAnswer(answer.text);
    return { sealed: message, text: answer.text, read, fault: faultOf(read, answer, mayAsk) };
  };
  let first: Awaited<ReturnType<typeof ask>>;
  try {
    first = await ask(sealed, options.kind);
  } catch (error) {
    log.runs.push(unanswered(sealed.receipt, { ...options, model: reviewer.model.id }));
    return failed(error);
  }
  if (first.fault === undefined) return { kind: 'answered', ...first };
  const something = first.fault === 'cut' && first.read.readable;
  try {
    const words = askAgain(first.fault);
    const added = { fragment: 'again', source: 'reviewer', layer: 'frame', words };
    const second = await ask(extend(sealed, added, { meter, hash: hashText }), 'review-page-again');
    if (second.fault === undefined) return { kind: 'answered', ...second };
    if (something || second.read.readable) return { kind: 'partial', reads: [first.read, second.read] };
  } catch (error) {
    return something ? { kind: 'partial', reads: [first.read] } : failed(error);
  }
  return { kind: 'failed', code: 'MODEL_ANSWER_INVALID' };
}

function failed(error: unknown): ReadMessage {
  const { code } = toGalleyError(error, 'MODEL_UNAVAILABLE');
  return { kind: 'failed', code, ...(isGalleyError(error) ? { why: error.message } : {}) };
}

/** A call that came to nothing: what it cost is not known. */
export function unanswered(
  { id, used }: Receipt,
  { kind, page, model }: Pick<RunRecord, 'kind' | 'model'> & Pick<AskOptions, 'page'>,
): RunRecord {
  const foreseen = { inputTokens: used.n, cachedInputTokens: 0 };
  return { kind, receipt: id, model, ...(page === undefined ? {} : { page }), foreseen, attempts: 1 };
}

function askAgain(fault: Fault): string {
  return `\nYour last answer could not be used: ${faults[fault]}. Answer again with nothing but the JSON object.\n`;
}

function faultOf(read: ReadAnswer, { text, finish }: ModelAnswer, mayAsk: boolean): Fault | undefined {
  if (text.trim() === '') return 'empty';
  if (finish === 'length' || !read.whole) return 'cut';
  return read.readable || (mayAsk && read.requests.length > 0) ? undefined : 'unreadable';
}

/** A warning that is told once, with how often it was met. */
export function counted(code: string, what: string, count = 1): Warning {
  return { code, message: `${what} (${count})`, details: { what, count } };
}
