// One page, one reading of the answer: what cannot be read is asked for once more, with the fault named. What the first answer said
// never goes into the second question.
import { isGalleyError, toGalleyError } from '../../core/model/error.js';
import type { ErrorCode } from '../../core/model/error-table.js';
import type { RunRecord } from '../../core/model/run-record.js';
import type { Warning } from '../../core/model/warning.js';
import type { ModelAnswer, ModelRequest, RunOptions } from '../../models/model.js';
import type { Finding } from '../findings/finding.js';
import { type ReadAnswer, readAnswer } from '../findings/read-answer.js';
import { joinRecords, type Reviewer } from './reviewer.js';

export interface PageAnswer {
  /** `partial`: some findings may be missing, since the answer ended early. */
  readonly status: 'reviewed' | 'partial' | 'failed';
  readonly findings: readonly Finding[];
  readonly warnings: readonly Warning[];
  /** Why it failed. */
  readonly code?: ErrorCode;
  /** The same in words, where there are any. */
  readonly why?: string;
  /** Of the calls that were answered. */
  readonly run?: RunRecord;
}

const faults = {
  empty: 'it was empty',
  unreadable: 'it held no JSON object with a list "findings"',
  cut: 'it ended in the middle; report fewer findings, the worst first, in fewer words',
} as const;
type Fault = keyof typeof faults;

export async function askPage(
  reviewer: Reviewer,
  { page, ...request }: ModelRequest & { readonly page: number },
  options: RunOptions,
): Promise<PageAnswer> {
  const records: RunRecord[] = [];
  const ask = async (prompt: string): Promise<{ read: ReadAnswer; fault: Fault | undefined }> => {
    const { answer, record } = await reviewer.ask({ ...request, prompt }, options, page);
    records.push(record);
    const read = readAnswer(answer.text);
    return { read, fault: faultOf(read, answer) };
  };
  const answered = (status: PageAnswer['status'], reads: readonly ReadAnswer[]): PageAnswer => {
    const run = joinRecords(records);
    return {
      status,
      findings: reads.flatMap(({ findings }) => findings),
      warnings: reads.flatMap(({ warnings }) => warnings),
      ...(run === undefined ? {} : { run }),
    };
  };
  const failed = (error: unknown): PageAnswer => ({
    ...answered('failed', []),
    code: toGalleyError(error, 'MODEL_UNAVAILABLE').code,
    ...(isGalleyError(error) ? { why: error.message } : {}),
  });
  let first: Awaited<ReturnType<typeof ask>>;
  try {
    first = await ask(request.prompt);
  } catch (error) {
    return failed(error);
  }
  if (first.fault === undefined) return answered('reviewed', [first.read]);
  const something = first.fault === 'cut' && first.read.readable;
  try {
    const second = await ask(`${request.prompt}\n${askAgain(first.fault)}\n`);
    if (second.fault === undefined) return answered('reviewed', [second.read]);
    if (something || second.read.readable) return answered('partial', [first.read, second.read]);
  } catch (error) {
    return something ? answered('partial', [first.read]) : failed(error);
  }
  return { ...answered('failed', []), code: 'MODEL_ANSWER_INVALID' };
}

function askAgain(fault: Fault): string {
  return `Your last answer could not be used: ${faults[fault]}. Answer again with nothing but the JSON object.`;
}

function faultOf({ readable, whole }: ReadAnswer, { text, finish }: ModelAnswer): Fault | undefined {
  if (text.trim() === '') return 'empty';
  if (finish === 'length' || !whole) return 'cut';
  return readable ? undefined : 'unreadable';
}
