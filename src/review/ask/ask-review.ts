// A question about a change of a repository, asked by whoever works in it.
import type * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import { textField } from '../../core/model/input.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { Spent } from '../run/prepare-pages.js';
import type { CallReceipt } from '../run/result-of-run.js';
import { reviewRunRequest } from '../run/run-request.js';
import type { RunContext } from '../run/run-review.js';
import { askOfChange } from './ask-of-change.js';
import { questionTask } from './question.js';

export const askReviewRequest = reviewRunRequest
  .omit({
    ...{ format: true, earlier: true, minSeverity: true, minConfidence: true, most: true, failLevel: true },
    ...{ verify: true, verifyModel: true, dryRun: true },
  })
  .extend({ question: textField(4_000).min(1).describe('in your own words') });

export interface AskedReview {
  /** Markdown. */
  readonly answer: string;
  readonly model: string;
  /** Changed files on the page that was asked, of all. */
  readonly seen: { readonly files: number; readonly of: number };
  readonly spent: Spent;
  readonly runs: readonly RunRecord[];
  readonly receipts: readonly CallReceipt[];
  readonly warnings: readonly Warning[];
}

export async function askReview(
  { question, ...request }: z.output<typeof askReviewRequest>,
  context: RunContext,
): Promise<AskedReview> {
  const { language } = request;
  const run = { ...request, format: 'json', failLevel: 'none', verify: false, dryRun: false } as const;
  const { answers, files, spent, runs, receipts, warnings } = await askOfChange(
    run,
    context,
    questionTask({ text: question, language }),
  );
  const { page, answer } = answers[0]!;
  return {
    ...{ answer, spent, runs, receipts, warnings },
    model: runs.at(-1)?.model ?? '',
    seen: { files: new Set(page.pieces.map(({ path }) => path)).size, of: files.length },
  };
}
