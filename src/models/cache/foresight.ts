// How much of a request will the provider read from its cache? Worked out from what was sent to it before and from its rules,
// corrected by what it reported. Only digests and traces are kept, never text.

import { LRUCache } from 'lru-cache';
import { providerProfileFor } from '../catalog/provider-profiles.js';
import { countTokens } from '../contract/count-tokens.js';
import type { Model, ModelAnswer, ModelRequest } from '../contract/model.js';
import { type Count, cacheKeyOf, markersFor, requestBlocks } from '../http/content-blocks.js';
import { type Endpoint, endpointNamed } from '../http/endpoint.js';
import { markedPrefixes, type PrefixTrace, prefixEnds, sharedStart, traceOf } from './prefixes.js';

export interface Foreseen {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
}

interface Outlook {
  readonly foreseen: Foreseen;
  /** The provider begins to answer: from now on it can be read from its cache. */
  begun(): void;
  answered(answer: ModelAnswer): void;
}

export interface Foresight {
  /** Just before the request is sent. */
  foresee(request: ModelRequest): Promise<Outlook>;
}

interface ForesightOptions {
  readonly count: Count;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
}

export function createForesight(model: Model, options: ForesightOptions): Foresight {
  const [family = '', ...rest] = model.id.split('/');
  const name = rest.join('/');
  const endpoint = endpointNamed(family, name);
  const { count, now = () => performance.now() } = options;
  if (model.family !== 'http' || endpoint === undefined) return withoutCache(count);
  const keeper = markersFor(endpoint, name) > 0 ? byMarkers : byStart;
  return keeper(name, { count, now, endpoint, id: model.id });
}

interface Ground {
  readonly id: string;
  readonly count: Count;
  readonly now: () => number;
  readonly endpoint: Endpoint;
}

/** A replay or an agent CLI: what it caches is not ours to know. */
function withoutCache(count: Count): Foresight {
  const calibration = createCalibration();
  return {
    async foresee({ system = '', prompt }) {
      const counted = (await count(system)) + (await count(prompt));
      return {
        foreseen: { inputTokens: Math.round(counted * calibration.factor()), cachedInputTokens: 0 },
        begun() {},
        answered: ({ usage }) => usage !== undefined && calibration.learn(counted, usage.inputTokens),
      };
    },
  };
}

/** What else stands before the text on the wire. */
const around = ({ shape }: ModelRequest): string => (shape === undefined ? '' : JSON.stringify(shape));

function byMarkers(model: string, { count, now, endpoint }: Ground): Foresight {
  const { lifeMs } = providerProfileFor(model);
  const kept = markedPrefixes();
  const calibration = createCalibration();
  return {
    async foresee(request) {
      const ends = prefixEnds(await requestBlocks(request, { endpoint, model, count }), around(request));
      const { system = '', prompt } = request;
      const counted = (await count(system)) + (await count(prompt));
      const factor = calibration.factor();
      const found = kept.find(ends, now());
      const cached =
        found === undefined
          ? 0
          : (found.tokens ?? (await countStart(request, found.end.length, count)) * factor);
      const inputTokens = Math.round(counted * factor);
      return {
        foreseen: { inputTokens, cachedInputTokens: Math.min(inputTokens, Math.round(cached)) },
        begun: () => kept.keep(ends, now() + lifeMs),
        answered({ usage }) {
          kept.keep(ends, now() + lifeMs);
          if (usage === undefined) return;
          calibration.learn(counted, usage.inputTokens);
          kept.count(ends, (usage.cachedInputTokens ?? 0) + (usage.cacheWriteTokens ?? 0));
        },
      };
    },
  };
}

const maxTraces = 16;

function byStart(_: string, { id, count, now, endpoint }: Ground): Foresight {
  const { lifeMs, minimumTokens, stepTokens } = providerProfileFor(id);
  let traces: { readonly trace: PrefixTrace; until: number }[] = [];
  const calibration = createCalibration();
  return {
    async foresee(request) {
      const { system = '', prompt } = request;
      const route = endpoint.protocol === 'openai' ? cacheKeyOf(request) : '';
      const head = `${around(request)}${route}\0`;
      const trace = traceOf(`${head}${system}${prompt}`);
      const counted = (await count(system)) + (await count(prompt));
      const factor = calibration.factor();
      const start = now();
      traces = traces.filter(({ until }) => until > start);
      const shared = traces.reduce((most, earlier) => Math.max(most, sharedStart(earlier.trace, trace)), 0);
      const alike = shared <= head.length ? 0 : await countStart(request, shared - head.length, count);
      const steps = Math.floor((alike * factor) / stepTokens) * stepTokens;
      const inputTokens = Math.round(counted * factor);
      const keep = () => {
        traces = [
          ...traces.filter((earlier) => earlier.trace !== trace),
          { trace, until: now() + lifeMs },
        ].slice(-maxTraces);
      };
      return {
        foreseen: {
          inputTokens,
          cachedInputTokens: steps < minimumTokens ? 0 : Math.min(steps, inputTokens),
        },
        begun: keep,
        answered({ usage }) {
          keep();
          if (usage !== undefined) calibration.learn(counted, usage.inputTokens);
        },
      };
    },
  };
}

/** Tokens of so many characters of system text and prompt. */
async function countStart(
  { system = '', prompt }: ModelRequest,
  length: number,
  count: Count,
): Promise<number> {
  const first = await count(system.slice(0, length));
  return length <= system.length ? first : first + (await count(prompt.slice(0, length - system.length)));
}

const known = new LRUCache<string, Foresight>({ max: 32 });

/** One foresight for each model of this process: what one call sent, the next may find in the provider's cache. */
export function sharedForesight(model: Model): Foresight {
  const name = `${model.family}:${model.id}`;
  const found = known.get(name) ?? createForesight(model, { count: countTokens });
  known.set(name, found);
  return found;
}

/**
 * How the provider's count of a text stands to ours, learned from what it reported; an estimate gets better with each run.
 */
interface Calibration {
  factor(): number;
  learn(counted: number, reported: number): void;
}

const remembered = 8;
const widest = 4;

function createCalibration(): Calibration {
  const runs: { counted: number; reported: number }[] = [];
  return {
    factor() {
      const counted = runs.reduce((sum, run) => sum + run.counted, 0);
      const reported = runs.reduce((sum, run) => sum + run.reported, 0);
      return counted === 0 ? 1 : reported / counted;
    },
    learn(counted, reported) {
      const factor = reported / counted;
      // A count that is far off was not a count of this text.
      if (!(factor >= 1 / widest && factor <= widest)) return;
      runs.push({ counted, reported });
      if (runs.length > remembered) runs.shift();
    },
  };
}
