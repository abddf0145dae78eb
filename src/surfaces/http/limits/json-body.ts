// A body as the doors over HTTP take it: JSON in UTF-8, said to be so, neither packed nor nested beyond reason.
import type { IncomingHttpHeaders } from 'node:http';
import { GalleyError } from '../../../core/model/error.js';
import { isNestedTooDeeply } from '../../nesting.js';

export function checkJsonHeaders(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': packing = 'identity' } = headers;
  // Pages of other origins cannot send this type without asking first.
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type))
    throw new GalleyError('INVALID_ARGUMENT', 'Send the request as "content-type: application/json".', {
      details: { field: 'content-type' },
    });
  // What is unpacked has no size until it is too late.
  if (packing.toLowerCase() !== 'identity')
    throw new GalleyError('INVALID_ARGUMENT', 'Send the request as it is, without "content-encoding".', {
      details: { field: 'content-encoding' },
    });
}

export type JsonBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'broken' }
  | { readonly kind: 'deep' };

export function parseJsonBody(bytes: Uint8Array): JsonBody {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isNestedTooDeeply(value) ? { kind: 'deep' } : { kind: 'value', value };
  } catch {
    return { kind: 'broken' };
  }
}
