import type { OperationLoaders } from './operation.js';

const constraints = () => import('./constraints.js');
const documents = () => import('./documents.js');
const entities = () => import('./entities.js');
const memory = () => import('./memory.js');
const budget = () => import('./context-budget.js');
const receipts = () => import('./receipts.js');

export const writingOperations = {
  'context:assemble': async () => (await import('./context-assemble.js')).contextAssemble,
  'context:inspect': async () => (await import('./context-inspect.js')).contextInspect,
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
