import type { OperationLoaders } from './operation.js';

export const agentsOperations = {
  'agents:assemble': async () => (await import('./agents-assemble.js')).agentsAssemble,
  'agents:run': async () => (await import('./agents-run.js')).agentsRun,
} satisfies OperationLoaders;
