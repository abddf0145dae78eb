import * as z from 'zod';
import { reviewRequest } from '../review/change/review-request.js';
import { reviewBundles as bundleChange } from '../review/context/review-bundles.js';
import { reviewBundles as bundles } from './answers/review-bundles.js';
import { defineOperation } from './operation.js';
import { redactField } from './redact-field.js';
import { reviewErrors } from './review-errors.js';

export const reviewBundles = defineOperation({
  id: 'review:bundles',
  summary:
    'Gives each changed unit its diff and the context its plan asks for, within a budget if one is set.',
  input: reviewRequest.extend({ maxDiffChars: z.int().min(1).max(1_000_000_000).optional(), ...redactField }),
  output: bundles,
  grant: 'read',
  errors: [...reviewErrors, 'CONTEXT_BUDGET_INFEASIBLE'],
  run: (request, { folder, signal }) => bundleChange(request, { folder, signal }),
});
