// A provider package's error as one of ours. It may quote the prompt, the key or the answer, so it is read and dropped,
// never attached.
import { type GalleyError, isGalleyError } from '../../core/model/error.js';
import { pick, pickCount, pickText } from '../cli/json-event.js';
import { type CallTarget, callFailure, type FailureReason } from './call-failure.js';
import { readRetryAfter } from './retry-after.js';

export interface ReadFailure {
  readonly error: GalleyError;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
}

export function readFailure(target: CallTarget, thrown: unknown, now: () => number): ReadFailure {
  const ours = ourOwn(thrown);
  if (ours !== undefined) return { error: ours };
  if (pickCount(thrown, 'statusCode') === 200 && networkCode(thrown) !== undefined)
    return { error: callFailure(target, 'cut') };
  const status = statusOf(thrown);
  if (status === undefined) return { error: withoutStatus(target, thrown) };
  const reason = reasonOfStatus(status);
  const final = hasNoQuota(thrown) ? { final: true } : {};
  const retryAfterMs = readRetryAfter(headersOf(thrown), now());
  return {
    error: callFailure(target, reason, { status, ...final }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function reasonOfStatus(status: number): FailureReason {
  if (status === 401 || status === 403) return 'authentication';
  if (status === 402) return 'payment';
  if (status === 404) return 'unknown-model';
  if (status === 429) return 'rate-limit';
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 408 || status === 409 || status >= 500) return 'unavailable';
  return status >= 400 ? 'bad-request' : 'malformed';
}

/** Packages wrap what their transport threw. */
function ourOwn(thrown: unknown): GalleyError | undefined {
  let found = thrown;
  for (let depth = 0; depth < 4 && found instanceof Error; depth += 1) {
    if (isGalleyError(found)) return found;
    found = found.cause;
  }
  return undefined;
}

function withoutStatus(target: CallTarget, thrown: unknown): GalleyError {
  const name = thrown instanceof Error ? thrown.name : '';
  if (/TypeValidation|JSONParse/.test(name)) return callFailure(target, 'malformed');
  if (/InvalidResponseData|NoContentGenerated|EmptyResponseBody/.test(name))
    return callFailure(target, 'cut');
  // What a provider says in the middle of its stream, as plain data.
  const type = pickText(thrown, 'type') ?? pickText(thrown, 'error', 'type') ?? '';
  const code = pickText(thrown, 'code') ?? pickText(thrown, 'error', 'code') ?? '';
  if (/rate_limit/.test(type + code)) return callFailure(target, 'rate-limit');
  if (/invalid_request|context_length|content_policy/.test(type + code))
    return callFailure(target, 'bad-request');
  if (!(thrown instanceof Error)) return callFailure(target, 'unavailable');
  const kind = networkCode(thrown);
  return callFailure(target, 'connection', kind === undefined ? {} : { kind });
}

/** ECONNREFUSED, UND_ERR_SOCKET and their like. */
function networkCode(thrown: unknown): string | undefined {
  let found = thrown;
  for (let depth = 0; depth < 6 && found instanceof Error; depth += 1) {
    const code = pickText(found, 'code');
    if (code !== undefined && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code;
    found = found instanceof AggregateError ? (found.errors[0] ?? found.cause) : found.cause;
  }
  return undefined;
}

function statusOf(thrown: unknown): number | undefined {
  const status = pickCount(thrown, 'statusCode');
  if (status === undefined || status !== 200) return status;
  // An error inside a stream that began well.
  return thrown instanceof Error && /APICallError/.test(thrown.name) ? streamStatus(thrown) : undefined;
}

function streamStatus(thrown: Error): number | undefined {
  const type = pickText(thrown, 'data', 'error', 'type') ?? pickText(thrown, 'data', 'type') ?? '';
  if (/overloaded/.test(type)) return 529;
  return /rate_limit/.test(type) ? 429 : 500;
}

/** The account is used up: waiting does not help. */
function hasNoQuota(thrown: unknown): boolean {
  const error = pick(thrown, 'data', 'error');
  return /insufficient_quota|billing/.test(
    `${pickText(error, 'code') ?? ''} ${pickText(error, 'type') ?? ''}`,
  );
}

function headersOf(thrown: unknown): (name: string) => string | undefined {
  const headers = pick(thrown, 'responseHeaders');
  return (name) => pickText(headers, name);
}
