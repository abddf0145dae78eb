import { relatedRequest, findRelated as relateFiles } from '../review/context/review-related.js';
import { relatedFiles } from './answers/review-bundles.js';
import { defineOperation } from './operation.js';
import { reviewErrors } from './review-errors.js';

export const reviewRelated = defineOperation({
  id: 'review:related',
  summary: 'Ranks the files that belong to given ones: by rare words, common history, names and imports.',
  input: relatedRequest,
  output: relatedFiles,
  grant: 'read',
  errors: reviewErrors,
  run: (request, { folder, signal }) => relateFiles(request, { folder, signal }),
});
