// What all calls of one server share: its limits at work, its counters, and whether it is closing.
import type { ErrorCode } from '../../core/model/error.js';
import { toGalleyError } from '../../core/model/error.js';
import { realRoot, realRoots } from '../real-roots.js';
import type { Folders } from './access/confine.js';
import { busyProcessor } from './limits/busy-processor.js';
import { type CallRate, createCallRate } from './limits/call-rate.js';
import {
  type ConcurrencyGroups,
  createConcurrencyGroups,
  drainAccepts,
} from './limits/concurrency-groups.js';
import { type HeldRefusals, heldRefusals } from './limits/held-refusals.js';
import { type BodyReader, createBodyReader } from './limits/request-body.js';
import { createMetrics, type Metrics } from './pages/metrics.js';
import type { ServeOptions } from './serve-options.js';

export interface ServerState {
  readonly options: ServeOptions;
  readonly folders: Folders;
  readonly bodies: BodyReader;
  readonly rate: CallRate;
  readonly groups: ConcurrencyGroups;
  readonly refusals: HeldRefusals;
  readonly metrics: Metrics;
  /** Cancels what runs. */
  readonly running: Set<AbortController>;
  /** Calls are still answered, but whoever asks is told to send them elsewhere. */
  isLeaving: boolean;
  isClosing: boolean;
  /** Connections and requests so far. */
  arrivals: number;
}

export function createServerState(options: ServeOptions): ServerState {
  const { limits, now } = options;
  const roots = realRoots(options.roots);
  const state: ServerState = {
    options,
    folders: { folder: roots[0] ?? realRoot('.'), roots },
    bodies: createBodyReader(limits),
    rate: createCallRate(limits.perSecond, now),
    groups: createConcurrencyGroups(limits, {
      ...{ now, isBusy: busyProcessor(now) },
      listen: drainAccepts(() => state.arrivals),
    }),
    refusals: heldRefusals({ now }),
    metrics: createMetrics(),
    running: new Set(),
    isLeaving: false,
    isClosing: false,
    arrivals: 0,
  };
  return state;
}

interface RequestRecord {
  readonly method: string;
  /** Of the table, or `none`. */
  readonly operation: string;
  readonly caller: string;
  readonly refusal?: unknown;
  readonly startedAt: number;
}

/** Someone tried what they may not. */
const security: ReadonlySet<ErrorCode | 'OK'> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
  'CONTEXT_SCOPE_VIOLATION',
  'CONTEXT_INSPECT_FORBIDDEN',
] as const);

/** One request in the counters and the log: method, operation, code, duration, digest of the token. Never a path or a text. */
export function recordRequest({ options, metrics }: ServerState, record: RequestRecord): void {
  const { method, operation, caller, refusal, startedAt } = record;
  const code = refusal === undefined ? 'OK' : toGalleyError(refusal).code;
  const ms = Math.max(0, options.now() - startedAt);
  metrics.record(operation, code, ms / 1000);
  options.log({
    level: security.has(code) ? 'security' : code === 'OK' ? 'info' : 'warning',
    event: code === 'OK' ? 'HTTP_CALL' : 'HTTP_REFUSED',
    details: { method, operation, code, ms: Math.round(ms), token: caller },
  });
}
