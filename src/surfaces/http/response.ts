// How the server answers: headers that are never cached and never guessed at, and a refusal with the status of the table, the
// same JSON as on every door, and when to come back.
import type { IncomingHttpHeaders } from 'node:http';
import { errorTable, type GalleyError, toGalleyError } from '../../core/model/error.js';
import type { ServerState } from './server-state.js';

interface HttpRefusal {
  readonly error: GalleyError;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function httpRefusal(thrown: unknown): HttpRefusal {
  const error = toGalleyError(thrown);
  const { http: status, retryable } = errorTable[error.code];
  return {
    error,
    status,
    headers: {
      'content-type': 'application/json',
      ...(retryable && (status === 429 || status === 503)
        ? { 'retry-after': String(error.details?.retryAfter ?? 1) }
        : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="galley"' } : {}),
    },
    body: JSON.stringify({ error }),
  };
}

export const plainHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** For allowed origins the words browsers want to hear. */
export function responseHeaders({ origin }: IncomingHttpHeaders, { options, isClosing }: ServerState) {
  const headers: Record<string, string> = { ...plainHeaders };
  if (isClosing) headers.connection = 'close';
  if (options.allowOrigins.length > 0) headers.vary = 'origin';
  if (origin !== undefined && options.allowOrigins.includes(origin)) {
    headers['cross-origin-resource-policy'] = 'cross-origin';
    headers['access-control-allow-origin'] = origin;
    headers['access-control-allow-methods'] = 'GET, POST';
    headers['access-control-allow-headers'] = 'authorization, content-type';
    headers['access-control-expose-headers'] = 'retry-after';
    headers['access-control-max-age'] = '600';
  }
  return headers;
}
