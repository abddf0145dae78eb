import { reviewRunRequest } from '../review/run/run-request.js';
import { runReview } from '../review/run/run-review.js';
import { reviewRun as run } from './answers/review-run.js';
import { modelErrors } from './model-errors.js';
import { defineOperation } from './operation.js';
import { reviewErrors } from './review-errors.js';

export const reviewRun = defineOperation({
  id: 'review:run',
  summary:
    'Reviews a change with a model, page by page, and answers with a checked report and what it could not review.',
  input: reviewRunRequest,
  output: run,
  grant: 'run',
  errors: [...reviewErrors, 'CONTEXT_BUDGET_INFEASIBLE', ...modelErrors, 'COST_CEILING_REACHED'],
  run: async (request, context) => {
    const { folder, signal } = context;
    return runReview(request, {
      folder,
      signal,
      model: (name) => context.model(name),
      catalog: await context.prices?.(),
      answers: context.answers,
      onProgress: (progress) => context.onProgress?.(progress),
    });
  },
});
