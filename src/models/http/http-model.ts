// A provider over HTTP as a model: prepare once, call, call again while it may help and nobody was misled, answer or refuse.
import { setTimeout as wait } from 'node:timers/promises';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { canonicalJson } from '../../core/model/canonical-json.js';
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import type { Fetch } from '../../network/outgoing-fetch.js';
import type { Model, ModelAnswer, RunOptions } from '../contract/model.js';
import { checkRequest } from '../contract/placement.js';
import { type CallTarget, isPassing } from './call-failure.js';
import type { Connection } from './connection.js';
import { type Count, requestBlocks } from './content-blocks.js';
import { guardedFetch, loadProvider } from './load-provider.js';
import { readStreamedAnswer } from './read-answer.js';
import { type ReadFailure, readFailure } from './read-failure.js';
import { backoffMs, type Patience, type RunClock, startClock, untilAborted } from './run-clock.js';
import { answerForm, speakerRules, takesSystem, wireCall } from './wire-call.js';

export interface HttpModelOptions {
  /** Tokens of a text, at most as many as the provider would count; asked only near the smallest size a provider keeps. */
  readonly count: Count;
  readonly fetch?: Fetch;
  readonly attempts?: number;
  readonly random?: () => number;
  readonly now?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const usualAttempts = 5;

export function httpModel(connection: Connection, model: string, options: HttpModelOptions): Model {
  const { endpoint } = connection;
  const target: CallTarget = { connection, model };
  const patience: Patience = {
    attempts: options.attempts ?? usualAttempts,
    random: options.random ?? Math.random,
  };
  let loading: Promise<LanguageModelV3> | undefined;
  const forms = new Map<string, Promise<string | undefined>>();
  const self: Model = {
    id: `${endpoint.name}/${model}`,
    family: 'http',
    takesTurns: true,
    speakers: speakerRules(endpoint, model),
    answerForm(shape) {
      const key = canonicalJson(shape.schema);
      const known = forms.get(key) ?? answerForm(connection, model, shape);
      forms.set(key, known);
      return known;
    },
    systemInPrompt: () => !takesSystem(endpoint, model),
    run: async (request, run) => {
      checkRequest(self, request);
      const clock = startClock(request.timeouts, run.signal, {
        title: endpoint.title,
        provider: endpoint.name,
      });
      try {
        const ending = clock.ending();
        if (ending !== undefined) throw ending;
        loading ??= loadProvider(connection, model, guardedFetch(target, options.fetch));
        const provider = await loading.catch((reason: unknown) => {
          loading = undefined;
          throw toGalleyError(reason);
        });
        const blocks = await requestBlocks(request, {
          endpoint,
          model,
          count: options.count,
        });
        const call = { provider, target, clock, order: wireCall(request, blocks, { endpoint, model }) };
        return await persist(call, run, { ...options, ...patience });
      } finally {
        clock.close();
      }
    },
  };
  return self;
}

interface Call {
  readonly provider: LanguageModelV3;
  readonly target: CallTarget;
  readonly clock: RunClock;
  readonly order: LanguageModelV3CallOptions;
}

async function persist(
  call: Call,
  run: RunOptions,
  options: Omit<HttpModelOptions, 'attempts' | 'random'> & Patience,
): Promise<ModelAnswer> {
  const { sleep = rest, now = Date.now } = options;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await callOnce(call, run, now);
    if (outcome.kind === 'answered')
      return attempt === 1 ? outcome.answer : { ...outcome.answer, attempts: attempt };
    const { error, retryAfterMs, spoken } = outcome;
    const afterMs = backoffMs(attempt, options, retryAfterMs);
    // Words that were handed on cannot be taken back from a caller who does not listen for it.
    const misled = spoken && run.onRetry === undefined;
    const again = isPassing(error) && attempt < options.attempts && !misled;
    if (!again || afterMs >= call.clock.remainingMs()) throw afterAttempts(error, attempt);
    run.onRetry?.({ attempt, afterMs, code: error.code });
    await untilAborted(sleep(afterMs, call.clock.signal), call.clock.signal).catch((reason: unknown) => {
      throw call.clock.ending() ?? reason;
    });
  }
}

type CallOutcome =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer }
  | ({ readonly kind: 'failed'; readonly spoken: boolean } & ReadFailure);

async function callOnce(
  { provider, target, clock, order }: Call,
  { onText }: RunOptions,
  now: () => number,
): Promise<CallOutcome> {
  const { signal } = clock;
  let spoken = false;
  let broken: { readonly reason: unknown } | undefined;
  const listener = {
    onBegun: () => clock.expectNothing(),
    onText(text: string) {
      if (onText === undefined) return;
      spoken = true;
      try {
        onText(text);
      } catch (reason) {
        broken = { reason };
        throw reason;
      }
    },
  };
  const stopped = new AbortController();
  clock.expectWords();
  try {
    const abortSignal = AbortSignal.any([signal, stopped.signal]);
    const { stream } = await untilAborted(provider.doStream({ ...order, abortSignal }), signal);
    return { kind: 'answered', answer: await readStreamedAnswer(stream, { target, signal, listener }) };
  } catch (thrown) {
    if (broken !== undefined) throw broken.reason;
    const ending = clock.ending();
    if (ending !== undefined) throw ending;
    return { kind: 'failed', spoken, ...readFailure(target, thrown, now) };
  } finally {
    clock.expectNothing();
    // Whatever the call left open is closed with it.
    stopped.abort();
  }
}

function afterAttempts(error: GalleyError, attempts: number): GalleyError {
  return attempts === 1
    ? error
    : new GalleyError(error.code, error.message, { details: { ...error.details, attempts } });
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal });
}
