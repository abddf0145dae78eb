// The library door: every operation as a typed call, on a store and a folder of one's own.
import type { AnswerOf, OperationId, RequestOf } from '../../operations/table.js';
import type { PlacedStoreOptions } from '../../store/place/open-store.js';
import type { Store } from '../../store/store.js';
import { createEngine, type EngineCall, type EngineOptions } from '../engine.js';

export interface Galley {
  call<Id extends OperationId>(id: Id, request: RequestOf<Id>, options?: EngineCall): Promise<AnswerOf<Id>>;
  /** Cancels what runs, waits for it, and closes the store. */
  close(): Promise<void>;
}

export type GalleyOptions = Partial<EngineOptions>;

export function createGalley(options: GalleyOptions = {}): Galley {
  const engine = createEngine({ ...options, folder: options.folder ?? process.cwd() });
  return {
    call: async <Id extends OperationId>(id: Id, request: RequestOf<Id>, how?: EngineCall) =>
      (await engine.call(id, request, how)) as AnswerOf<Id>,
    close: () => engine.close(),
  };
}

export type OpenStoreOptions = Omit<PlacedStoreOptions, 'now'> & Partial<Pick<PlacedStoreOptions, 'now'>>;

/** A store of its own, for several `createGalley` or to look at. Close it when everything that uses it is closed. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { openStoreAt } = await import('../../store/place/open-store.js');
  return openStoreAt({ ...options, now: options.now ?? (() => Date.now()) });
}
