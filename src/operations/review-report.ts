import { reportAnswers, reportRequest } from '../review/report/report-answers.js';
import { answeredReport } from './answers/review-report.js';
import { defineOperation } from './operation.js';
import { reviewErrors } from './review-errors.js';

export const reviewReport = defineOperation({
  id: 'review:report',
  summary:
    'Checks what reviewers answered against the change and writes it as Markdown, JSON, SARIF and others.',
  input: reportRequest,
  output: answeredReport,
  grant: 'read',
  errors: reviewErrors,
  run: (request, { folder, signal }) => reportAnswers(request, { folder, signal }),
});
