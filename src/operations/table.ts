// Every operation by its id.

import type { z } from 'zod';
import type { Operation, OperationLoaders } from './operation.js';

export const agentsOperations = {
  'agents:assemble': async () => (await import('./agents.js')).agentsAssemble,
  'agents:run': async () => (await import('./agents.js')).agentsRun,
} satisfies OperationLoaders;

export const reviewOperations = {
  'review:changes': async () => (await import('./review-change.js')).reviewChanges,
  'review:chunks': async () => (await import('./review-pages.js')).reviewChunks,
  'review:report': async () => (await import('./review-report.js')).reviewReport,
  'review:run': async () => (await import('./review-report.js')).reviewRun,
} satisfies OperationLoaders;

export const reviewContextOperations = {
  'review:plan': async () => (await import('./review-change.js')).reviewPlan,
  'review:bundles': async () => (await import('./review-pages.js')).reviewBundles,
  'review:related': async () => (await import('./review-pages.js')).reviewRelated,
} satisfies OperationLoaders;

const list = () => import('./skills.js');
const put = () => import('./skills.js');

export const skillsOperations = {
  'skills:list': async () => (await list()).skillsList,
  'skills:get': async () => (await list()).skillsGet,
  'skills:put': async () => (await put()).skillsPut,
  'skills:lint': async () => (await put()).skillsLint,
  'ai:skill:run': async () => (await import('./skill-run.js')).aiSkillRun,
  'ai:skill:accept': async () => (await import('./skill-run.js')).aiSkillAccept,
  'constraints:judge': async () => (await import('./constraints.js')).constraintsJudge,
} satisfies OperationLoaders;

const constraints = () => import('./constraints.js');
const documents = () => import('./documents.js');
const entities = () => import('./entities.js');
const memory = () => import('./memory.js');
const budget = () => import('./context.js');
const receipts = () => import('./receipts.js');

export const writingOperations = {
  'context:assemble': async () => (await import('./context.js')).contextAssemble,
  'context:inspect': async () => (await import('./context.js')).contextInspect,
  'context:budget:get': async () => (await budget()).contextBudgetGet,
  'context:budget:update': async () => (await budget()).contextBudgetUpdate,
  'constraints:list': async () => (await constraints()).constraintsList,
  'constraints:create': async () => (await constraints()).constraintsCreate,
  'constraints:update': async () => (await constraints()).constraintsUpdate,
  'constraints:delete': async () => (await constraints()).constraintsDelete,
  'documents:put': async () => (await documents()).documentsPut,
  'documents:get': async () => (await documents()).documentsGet,
  'documents:list': async () => (await documents()).documentsList,
  'documents:delete': async () => (await documents()).documentsDelete,
  'entities:put': async () => (await entities()).entitiesPut,
  'entities:get': async () => (await entities()).entitiesGet,
  'entities:list': async () => (await entities()).entitiesList,
  'entities:delete': async () => (await entities()).entitiesDelete,
  'memory:list': async () => (await memory()).memoryList,
  'memory:put': async () => (await memory()).memoryPut,
  'memory:confirm': async () => (await memory()).memoryConfirm,
  'memory:delete': async () => (await memory()).memoryDelete,
  'receipts:list': async () => (await receipts()).receiptsList,
  'receipts:get': async () => (await receipts()).receiptsGet,
  'receipts:diff': async () => (await receipts()).receiptsDiff,
} satisfies OperationLoaders;

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

// What each operation takes and gives, read off the table at compile time.
export type OperationId = keyof Operations;

type Loaded<Id extends OperationId> = Awaited<ReturnType<Operations[Id]>>;

export type RequestOf<Id extends OperationId> =
  Loaded<Id> extends Operation<infer Input, infer _> ? z.input<Input> : never;

export type AnswerOf<Id extends OperationId> =
  Loaded<Id> extends Operation<infer _, infer Output> ? Output : never;
