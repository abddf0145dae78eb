// Is this a place for a store? A file, `:memory:`, or the address of a PostgreSQL database; any other address would silently become
// a folder of that name.
import { GalleyError } from '../core/model/error.js';

/** One letter before the colon is a drive of Windows. */
const scheme = /^[a-z][a-z0-9+.-]+:/i;

export function isDatabaseAddress(path: string): boolean {
  return /^postgres(ql)?:\/\//i.test(path);
}

/** What it leaves out, the driver takes from the variables of PostgreSQL, and a socket is named behind the question mark. */
function isComplete({ hostname, pathname, searchParams }: URL): boolean {
  const host = hostname || searchParams.get('host') || process.env.PGHOST;
  const database = pathname.replace(/^\//, '') || process.env.PGDATABASE;
  return Boolean(host && database);
}

/** `field` names the setting in a refusal; the address is not repeated, since it may hold a password. */
export function checkStorePath(path: string, field = 'store'): void {
  if (!scheme.test(path)) return;
  if (isDatabaseAddress(path) && URL.canParse(path)) {
    if (isComplete(new URL(path))) return;
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${field}: the address is incomplete; write postgres://user:password@host:5432/database.`,
      { details: { field } },
    );
  }
  throw new GalleyError(
    'INVALID_ARGUMENT',
    isDatabaseAddress(path)
      ? `${field}: the address cannot be read; write postgres://user:password@host:5432/database, with signs in the password as %40.`
      : `${field}: must be a file, ":memory:" or a postgres:// address, not another address; write ./ before a file name with a colon.`,
    { details: { field } },
  );
}
