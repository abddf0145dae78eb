// Every operation by its id. Each is loaded when it is first asked for.
import type { Operation } from './operation.js';

const loaders: Readonly<Record<string, () => Promise<Operation>>> = {
  'agents:assemble': async () =>
    (await import('./agents-assemble.js')).agentsAssemble as unknown as Operation,
};

export const operationIds: readonly string[] = Object.keys(loaders);

export async function findOperation(id: string): Promise<Operation | undefined> {
  return Object.hasOwn(loaders, id) ? loaders[id]?.() : undefined;
}
