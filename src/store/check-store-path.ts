// Is this a place for a store? A file or `:memory:`; an address would silently become a folder of that name.
import { GalleyError } from '../core/model/error.js';

/** One letter before the colon is a drive of Windows. */
const scheme = /^[a-z][a-z0-9+.-]+:/i;

/** `field` names the setting in a refusal; the address is not repeated, since it may hold a password. */
export function checkStorePath(path: string, field = 'store'): void {
  if (!scheme.test(path)) return;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    `${field}: must be a file or ":memory:", not an address; write ./ before a file name with a colon.`,
    { details: { field } },
  );
}
