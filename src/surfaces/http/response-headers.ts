// Headers of every answer: never cached, never guessed at, and for allowed origins the words browsers want to hear.
import type { IncomingHttpHeaders } from 'node:http';
import type { Door } from './door.js';

export const plainHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function responseHeaders({ origin }: IncomingHttpHeaders, { options, isClosing }: Door) {
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
