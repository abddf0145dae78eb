import type { OperationLoaders } from './operation.js';

export const reviewContextOperations: OperationLoaders = {
  'review:plan': async () => (await import('./review-plan.js')).reviewPlan,
};
