import { contextBudget, reviewRequest } from '../review/change/review-request.js';
import { reviewChunks as setChunks } from '../review/pages/page-set.js';
import { reviewChunks as chunks } from './answers/review-chunks.js';
import { defineOperation } from './operation.js';
import { redactField } from './redact-field.js';
import { reviewErrors } from './review-errors.js';

export const reviewChunks = defineOperation({
  id: 'review:chunks',
  summary:
    'Sets a change as chunks for a reviewer: whole files, within a limit, with rules and instructions in each.',
  input: reviewRequest.extend({ context: contextBudget.optional(), ...redactField }),
  output: chunks,
  grant: 'read',
  errors: [...reviewErrors, 'CONTEXT_BUDGET_INFEASIBLE'],
  run: (request, { folder, signal, onProgress }) =>
    setChunks(request, { folder, signal, ...(onProgress === undefined ? {} : { onProgress }) }),
});
