import { reviewChanges as readChanges } from '../review/change/review-changes.js';
import { reviewRequest } from '../review/change/review-request.js';
import { reviewChanges as changes } from './answers/review-changes.js';
import { defineOperation } from './operation.js';
import { reviewErrors } from './review-errors.js';

export const reviewChanges = defineOperation({
  id: 'review:changes',
  summary: 'Lists every changed path, and every path a review leaves out with its reason.',
  input: reviewRequest,
  output: changes,
  grant: 'read',
  errors: reviewErrors,
  run: (request, { folder, signal }) => readChanges(request, { folder, signal }),
});
