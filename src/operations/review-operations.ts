import type { OperationLoaders } from './operation.js';

export const reviewOperations: OperationLoaders = {
  'review:changes': async () => (await import('./review-changes.js')).reviewChanges,
  'review:chunks': async () => (await import('./review-chunks.js')).reviewChunks,
};
