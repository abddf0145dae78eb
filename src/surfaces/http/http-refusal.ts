// A refusal as HTTP: the status of the table, the same JSON as on every door, and when to come back.
import { errorTable, type GalleyError, toGalleyError } from '../../core/model/error.js';

export interface HttpRefusal {
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
      ...(retryable && (status === 429 || status === 503) ? { 'retry-after': '1' } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="galley"' } : {}),
    },
    body: JSON.stringify({ error }),
  };
}
