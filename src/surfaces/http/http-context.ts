// What an operation may reach for when HTTP is the door: what the caller was granted, and what the server shares.
import type { OperationContext } from '../../operations/operation.js';
import type { Caller } from './access/caller.js';
import type { EventStream } from './event-stream.js';
import type { ServeOptions } from './serve-options.js';
import { tracedModel } from './traced-model.js';

export interface HttpCall {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly folder: string;
  /** Present when the caller wants to see the work as it goes. */
  readonly events?: EventStream | undefined;
}

export function httpContext(
  { caller, signal, folder, events }: HttpCall,
  { debug, log, now, store, model, prices, answers, embeddings }: ServeOptions,
): OperationContext {
  return {
    signal,
    folder,
    debug,
    grants: caller.grants,
    log,
    now,
    store,
    model: async (name) => tracedModel(await model(name)),
    ...(prices === undefined ? {} : { prices }),
    answers,
    ...(embeddings === undefined ? {} : { embeddings }),
    ...(events === undefined
      ? {}
      : {
          onText: (text: string) => events.send('text', { text }),
          onProgress: (progress: unknown) => events.send('progress', progress),
        }),
  };
}
