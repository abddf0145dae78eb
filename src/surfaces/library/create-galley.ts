// The library door: every operation as a typed call, on a store and a folder of one's own.
import type { AnswerOf, OperationId, RequestOf } from '../../operations/operation-types.js';
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
