// Operations behind one function, for doors that live longer than one call. Everything a call shares is opened once, when it is
// first needed, and closed together.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { parseInput } from '../core/model/input.js';
import type { AgentEvent } from '../models/contract/agent-event.js';
import type { Model } from '../models/contract/model.js';
import { call } from '../operations/call.js';
import type { Grant, Log, OperationContext, OperationProgress } from '../operations/operation.js';
import type { Store } from '../store/store.js';
import { allowedSessions } from './allowed-sessions.js';
import { localForge } from './local-forge.js';
import { localAnswers, localEmbeddings, localModels, localPrices, localSent } from './local-models.js';
import { type SharedStore, sharedStore } from './shared-store.js';

export const everyGrant: ReadonlySet<Grant> = new Set(['read', 'write', 'inspect', 'run']);

export interface EngineCall {
  readonly signal?: AbortSignal | undefined;
  /** Text of an answer as it arrives. */
  readonly onText?: ((text: string) => void) | undefined;
  /** What an agent does on its way, its text included. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
}

export interface Engine {
  call(id: string, request: unknown, options?: EngineCall): Promise<unknown>;
}

export interface OpenEngine extends Engine {
  /** Cancels what runs, waits for it, and closes the store. */
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly folder: string;
  /** The file of the store or the address of its database, or an open one that stays the caller's to close. */
  readonly store?: string | Store | undefined;
  readonly grants?: ReadonlySet<Grant> | undefined;
  readonly debug?: boolean | undefined;
  readonly log?: Log | undefined;
  /** The model of that name; the configured one unless told. */
  readonly model?: ((name?: string) => Promise<Model>) | undefined;
  readonly now?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

export function createEngine(options: EngineOptions): OpenEngine {
  checkEngineOptions(options);
  const {
    folder,
    grants = everyGrant,
    debug = false,
    log = () => undefined,
    now = () => Date.now(),
  } = options;
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const { store, close } = storeOf(options, now);
  const embeddings = localEmbeddings();
  const model = options.model ?? localModels({ folder });
  const run = async (id: string, request: unknown, options: EngineCall) => {
    const { signal, onText, onEvent, onProgress } = options;
    if (signal !== undefined && !(signal instanceof AbortSignal))
      throw new GalleyError('INVALID_ARGUMENT', 'signal: must be an AbortSignal.');
    if (closing.signal.aborted)
      throw new GalleyError('CANCELLED', 'This Galley is closed; make another one.');
    const cancelled = plainSignal(signal === undefined ? [closing.signal] : [closing.signal, signal]);
    const context: OperationContext = {
      ...{ signal: cancelled.signal, folder, debug, grants, log, now, store, model, embeddings },
      prices: localPrices,
      forge: localForge(cancelled.signal),
      answers: localAnswers(folder),
      sentHere: localSent(folder),
      sessions: allowedSessions(),
      ...(onText === undefined ? {} : { onText }),
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(onProgress === undefined ? {} : { onProgress }),
    };
    try {
      return await call(id, request, context);
    } finally {
      cancelled.release();
    }
  };
  return {
    call: (id, request, callOptions = {}) => {
      const answer = run(id, request, callOptions);
      const settled = answer.then(
        () => undefined,
        () => undefined,
      );
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return answer;
    },
    close: async () => {
      closing.abort();
      await Promise.all(running);
      await close();
    },
  };
}

/** A store the caller brought stays open. */
function storeOf({ folder, store, newId }: EngineOptions, now: () => number): SharedStore {
  if (typeof store !== 'object') return sharedStore(folder, { path: store, now, newId });
  return { store: async () => store, close: async () => undefined };
}

/** Aborts with the plain reason whatever reason it was told, since a stranger's reason would read as a failure of ours. */
function plainSignal(sources: readonly AbortSignal[]) {
  const controller = new AbortController();
  const source = AbortSignal.any([...sources]);
  const abort = () => controller.abort();
  if (source.aborted) abort();
  source.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, release: () => source.removeEventListener('abort', abort) };
}

const grants = ['read', 'write', 'inspect', 'run'] as const;
const isFunction = (value: unknown) => typeof value === 'function';
const anyFunction = z.custom(isFunction, 'must be a function').optional();

const engineOptions = z.strictObject({
  folder: z.string().min(1),
  store: z
    .custom(
      (value) => (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null),
      'must be the name of a file, ":memory:", a postgres:// address, or an open store',
    )
    .optional(),
  grants: z
    .custom<ReadonlySet<unknown>>(
      (value) => value instanceof Set && [...value].every((grant) => grants.includes(grant)),
      `must be a Set of ${grants.join(', ')}`,
    )
    .optional(),
  debug: z.boolean().optional(),
  log: anyFunction,
  model: z.custom(isFunction, 'must be a function that takes a name and gives a model').optional(),
  now: anyFunction,
  newId: anyFunction,
});

/** Asked where an engine is made, since callers in plain JavaScript learn it nowhere else. */
function checkEngineOptions(options: unknown): void {
  parseInput(engineOptions, options);
}
