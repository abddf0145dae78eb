// A writing desk to test on: a real store in a folder of its own, called through the one door, with its log kept.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findModel } from '../../src/models/find-model.js';
import { call } from '../../src/operations/call.js';
import type { Grant, LogLine, OperationContext } from '../../src/operations/operation.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import type { Store } from '../../src/store/store.js';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import type { ContextRequest } from '../../src/writing/layers/context-request.js';

export interface Desk {
  readonly store: Store;
  readonly log: LogLine[];
  readonly context: OperationContext;
  call<T = unknown>(id: string, request: unknown, change?: Partial<OperationContext>): Promise<T>;
  assemble(request?: Partial<ContextRequest>): Promise<ContextAssembleResult>;
  /** The code of the refusal, or `accepted`. */
  refusal(call: Promise<unknown>): Promise<unknown>;
  close(): Promise<void>;
}

export const project = '长篇';

export async function openDesk(): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-desk-'));
  let time = 0;
  let ids = 0;
  const store = await openStore({
    path: join(folder, 'galley.db'),
    now: () => ++time,
    newId: () => `id-${++ids}`,
  });
  const log: LogLine[] = [];
  const context: OperationContext = {
    signal: new AbortController().signal,
    folder,
    debug: true,
    grants: new Set<Grant>(['read', 'write', 'inspect', 'run']),
    log: (line) => log.push(line),
    now: () => ++time,
    store: async () => store,
    model: (name) => findModel(name, { folder, environment: {} }),
  };
  const desk: Desk = {
    store,
    log,
    context,
    call: async <T>(id: string, request: unknown, change: Partial<OperationContext> = {}) =>
      (await call(id, request, { ...context, ...change })) as T,
    assemble: (request = {}) =>
      desk.call('context:assemble', {
        projectId: project,
        documentId: '第一章',
        cursorPosition: 1_000_000,
        skillId: 'continue',
        ...request,
      }),
    refusal: (pending) =>
      pending.then(
        () => 'accepted',
        (error: unknown) => (error as { code?: unknown }).code ?? error,
      ),
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return desk;
}

/** A budget with the given total for the layers; skills' own system texts are counted on top of it. */
export async function giveBudget(desk: Desk, total: number, layers: object = {}): Promise<void> {
  const budget = await desk.call<{ layers: object }>('context:budget:get', { projectId: project });
  await desk.call('context:budget:update', {
    projectId: project,
    ...budget,
    window: total + 2_000,
    outputReserve: 2_000,
    layers: { ...budget.layers, ...layers },
  });
}

/** A prompt without the lines around what is not ours. */
export function unfenced(prompt: string): string {
  return prompt
    .replace(/(?:^|\n\n)=== (?:书稿|book|end of book) [0-9a-f]{8}(?: 完)? ===/g, '')
    .replace(/^\n\n/, '');
}
