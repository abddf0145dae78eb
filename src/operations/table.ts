// Every operation by its id.
import { agentsOperations } from './agents-operations.js';
import type { Operation, OperationLoaders } from './operation.js';
import { reviewContextOperations } from './review-context-operations.js';
import { reviewOperations } from './review-operations.js';
import { skillsOperations } from './skills-operations.js';
import { writingOperations } from './writing-operations.js';

const operations = {
  ...agentsOperations,
  ...reviewContextOperations,
  ...reviewOperations,
  ...skillsOperations,
  ...writingOperations,
};

/** Of the shape each has, for doors that know at compile time what they ask for. */
export type Operations = typeof operations;

const loaders: OperationLoaders = operations;

export const operationIds: readonly string[] = Object.keys(loaders);

export async function findOperation(id: string): Promise<Operation | undefined> {
  return Object.hasOwn(loaders, id) ? ((await loaders[id]?.()) as Operation) : undefined;
}
