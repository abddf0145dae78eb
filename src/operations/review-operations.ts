import type { OperationLoaders } from './operation.js';

export const reviewOperations = {
  'review:changes': async () => (await import('./review-changes.js')).reviewChanges,
  'review:chunks': async () => (await import('./review-chunks.js')).reviewChunks,
  'review:report': async () => (await import('./review-report.js')).reviewReport,
  'review:run': async () => (await import('./review-run.js')).reviewRun,
} satisfies OperationLoaders;
