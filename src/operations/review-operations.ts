import type { OperationLoaders } from './operation.js';

export const reviewOperations = {
  'review:changes': async () => (await import('./review-changes.js')).reviewChanges,
  'review:chunks': async () => (await import('./review-chunks.js')).reviewChunks,
  'review:report': async () => (await import('./review-report.js')).reviewReport,
} satisfies OperationLoaders;
