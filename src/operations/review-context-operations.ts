import type { OperationLoaders } from './operation.js';

export const reviewContextOperations = {
  'review:plan': async () => (await import('./review-plan.js')).reviewPlan,
  'review:bundles': async () => (await import('./review-bundles.js')).reviewBundles,
  'review:related': async () => (await import('./review-related.js')).reviewRelated,
} satisfies OperationLoaders;
