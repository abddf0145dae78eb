import { reviewRequest } from '../review/change/review-request.js';
import { reviewPlan as planChange } from '../review/plan/plan-review.js';
import { reviewPlan as plan } from './answers/review-plan.js';
import { defineOperation } from './operation.js';
import { reviewErrors } from './review-errors.js';

export const reviewPlan = defineOperation({
  id: 'review:plan',
  summary: 'Says how much context each changed unit needs: by rules, by a planner, and by both.',
  input: reviewRequest,
  output: plan,
  grant: 'read',
  errors: reviewErrors,
  run: (request, { folder, signal }) => planChange(request, { folder, signal }),
});
