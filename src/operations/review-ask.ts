// A question about a change, answered by a model from the page that knows most of it.
import * as z from 'zod';
import { type AskedReview, askReviewRequest } from '../review/ask/ask-review.js';
import { defineOperation } from './operation.js';
import { answer, count } from './published-schema.js';
import { receiptKeeper } from './receipts.js';
import { lastCommit } from './review-change.js';
import { callReceipts, runErrors, spentAnswer } from './review-report.js';
import { runRecords, warnings } from './shared-answers.js';

export const reviewAsk = defineOperation({
  id: 'review:ask',
  summary: 'Answers a question about a change with a model that sees the change and the code around it.',
  input: askReviewRequest,
  example: { ...lastCommit, question: 'What happens when the file is empty?' },
  streams: true,
  output: answer<AskedReview>()(
    z.strictObject({
      answer: z.string().describe('Markdown'),
      model: z.string(),
      seen: z.strictObject({ files: count.describe('changed files that were shown'), of: count }),
      spent: spentAnswer,
      runs: runRecords.describe('one for each call'),
      receipts: callReceipts.describe('one for each call'),
      warnings,
    }),
  ),
  grant: 'run',
  errors: [...runErrors, 'NOT_FOUND'],
  run: async (request, context) => {
    const { askReview } = await import('../review/ask/ask-review.js');
    const { folder, signal, answers, tickets } = context;
    return askReview(request, {
      ...{ folder, signal, answers, tickets, catalog: await context.prices?.() },
      model: (name) => context.model(name),
      keepReceipt: receiptKeeper('review:ask', context),
      onEstimate: (estimate) => context.onEstimate?.(estimate),
      onProgress: (progress) => context.onProgress?.(progress),
    });
  },
});
