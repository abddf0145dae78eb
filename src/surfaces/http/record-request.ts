// One request in the counters and the log: method, operation, code, duration, digest of the token. Never a path or a text.
import { type ErrorCode, toGalleyError } from '../../core/model/error.js';
import type { Door } from './door.js';

export interface RequestRecord {
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

export function recordRequest({ options, metrics }: Door, record: RequestRecord): void {
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
