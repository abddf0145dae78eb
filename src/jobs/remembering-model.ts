// A model inside a job: what it answers is stored before it is used, by the digest of what was sent and how often the same was
// sent. The job run again, by whomever, gets the stored answers, so what was paid for is never asked for again. A call is noted before
// it is made: whoever lost the job makes none, and whoever took it over waits for one that is still under way.
import { setTimeout as sleep } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import { GalleyError, toGalleyError } from '../core/model/error.js';
import { hashText } from '../meters/content-hash.js';
import type { Model, ModelAnswer, ModelRequest } from '../models/contract/model.js';
import type { Store } from '../store/store.js';
import type { JobCall } from '../store/tables/job-answers.js';
import type { Claim } from '../store/tables/job-claims.js';
import { waitForStore } from './wait-for-store.js';

export interface JobMemory {
  /** The same model, which answers from memory what it was asked in this job before. */
  remember(model: Model): Model;
  /** No new call begins; resolves when those under way are stored. */
  pause(): Promise<void>;
  /** The last refusal of a call that may pass if it is made again. */
  passing(): GalleyError | undefined;
}

interface MemoryPorts {
  readonly store: Pick<Store, 'jobAnswers' | 'presence'>;
  /** The job is another's by now. */
  onLost(): void;
  readonly signal: AbortSignal;
  readonly rest?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** How often one looks for the end of a call that another makes. */
const lookMs = 500;
/** A connection that broke comes back before so many looks in a row find nobody. */
const looksForGone = 4;
/** Beyond the time limit of a call: for its turn within the pace of the provider, and for a store that is away. */
const spareMs = 600_000;

const restFor = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal });

export function jobMemory(job: Claim, { store, onLost, signal, rest = restFor }: MemoryPorts): JobMemory {
  const { project, id } = job;
  const asked = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  let isPaused = false;
  let passing: GalleyError | undefined;

  const nextCall = (digest: string): JobCall => {
    const nth = (asked.get(digest) ?? 0) + 1;
    asked.set(digest, nth);
    return { digest, nth };
  };
  const forgo = (call: JobCall) =>
    waitForStore(() => store.jobAnswers.forgo(project, job, call)).catch(() => undefined);
  /** Stored answers are given at once; undefined means that the call is to be made. */
  const answered = async (call: JobCall, lastsMs: number): Promise<ModelAnswer | undefined> => {
    const known = await waitForStore(() => store.jobAnswers.get(project, id, call));
    if (known !== undefined) return known as ModelAnswer;
    const enter = () => waitForStore(() => store.presence.enter());
    const by = await enter();
    let looks = 0;
    let insteadOf: string | undefined;
    let isNotedAgain = false;
    for (;;) {
      if (isPaused) await untilAborted(signal);
      signal.throwIfAborted();
      const note = { by, lastsMs, insteadOf };
      const begun = await waitForStore(() => store.jobAnswers.begin(project, job, call, note));
      if (begun.kind === 'answered') return begun.answer as ModelAnswer;
      if (begun.kind === 'lost') {
        onLost();
        throw new GalleyError('CANCELLED', 'The lease of this job ended, and another process has it now.');
      }
      if (begun.kind === 'yours') {
        if (isPaused) {
          await forgo(call);
          continue;
        }
        // The store was away for a moment, and who is not seen again yet may have been taken for gone: the note is looked at again.
        if (isNotedAgain || (await waitForStore(() => store.presence.has(by)))) return undefined;
        await enter();
        isNotedAgain = true;
        continue;
      }
      const isThere = await waitForStore(() => store.presence.has(begun.by));
      looks = isThere ? 0 : looks + 1;
      if (looks >= looksForGone) insteadOf = begun.claim;
      else await rest(lookMs, signal);
    }
  };
  const ask = async (call: JobCall, asking: () => Promise<ModelAnswer>): Promise<ModelAnswer> => {
    try {
      const answer = await asking();
      return (await waitForStore(() => store.jobAnswers.put(project, id, call, answer))) as ModelAnswer;
    } catch (error) {
      const refusal = toGalleyError(error);
      if (refusal.retryable) passing = refusal;
      await forgo(call);
      throw error;
    }
  };
  return {
    remember: (model) => ({
      ...model,
      async run(request, options) {
        const call = nextCall(digestOf(model, request));
        const known = await answered(call, request.timeouts.totalMs + spareMs);
        if (known !== undefined) {
          options.onText?.(known.text);
          return known;
        }
        const asking = ask(call, () => model.run(request, options));
        underWay.add(asking);
        try {
          return await asking;
        } finally {
          underWay.delete(asking);
        }
      },
    }),
    async pause() {
      isPaused = true;
      await Promise.allSettled(underWay);
    },
    passing: () => passing,
  };
}

/** Of everything an answer depends on; time limits and marks for the provider's cache change none. */
function digestOf({ id }: Model, { timeouts: _, cachePoints: __, ...sent }: ModelRequest): string {
  return hashText(canonicalize([id, sent]) ?? '');
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
