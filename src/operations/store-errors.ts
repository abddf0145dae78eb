import type { ErrorCode } from '../core/model/error.js';

/** How any operation that uses the store may refuse because of it. */
export const storeErrors = [
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_TOO_NEW',
  'STORE_CORRUPT',
] as const satisfies readonly ErrorCode[];
