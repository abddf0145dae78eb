import { loadMeter } from '../meters/load-meter.js';
import { contextWish, reviewRequest } from '../review/changes/review-request.js';
import { defaultMeter } from '../review/pages/page-set.js';
import { reviewChunks as setChunks } from '../review/pages/review-chunks.js';
import { redactChunks, warnOfSecrets } from '../review/redact-answer.js';
import { reviewChunks as chunks } from './answers/review-chunks.js';
import { defineOperation } from './operation.js';
import { redactField } from './redact-field.js';
import { reviewErrors } from './review-errors.js';

export const reviewChunks = defineOperation({
  id: 'review:chunks',
  summary:
    'Sets a change as chunks for a reviewer: whole files, within a limit, with rules and instructions in each.',
  input: reviewRequest.extend({ context: contextWish.optional(), ...redactField }),
  output: chunks,
  grant: 'read',
  errors: [...reviewErrors, 'CONTEXT_BUDGET_INFEASIBLE'],
  run: async ({ redact, ...request }, { folder, signal, onProgress }) => {
    const options = { folder, signal, ...(onProgress === undefined ? {} : { onProgress }) };
    const answer = await setChunks(request, options);
    return redact
      ? redactChunks(answer, await loadMeter(request.meter ?? defaultMeter))
      : warnOfSecrets(answer);
  },
});
