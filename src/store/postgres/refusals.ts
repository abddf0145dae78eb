// How do errors of PostgreSQL, its driver and poolers become ours? By their codes; their messages may hold names, addresses and
// rows, and stay behind.
import { type ErrorCode, GalleyError, toGalleyError } from '../../core/model/error.js';

type Refusal = readonly [ErrorCode, string];

const unreachable: Refusal = [
  'STORE_UNAVAILABLE',
  'The database cannot be reached; check its address and that it runs.',
];
const denied: Refusal = [
  'STORE_UNAVAILABLE',
  'The database refused the user or the password; check them in the address of the store.',
];
const crowded: Refusal = [
  'STORE_BUSY',
  'The database has no connection left; try again, raise max_connections or put a pooler before it.',
];
const readOnly: Refusal = [
  'STORE_UNAVAILABLE',
  'The database is read-only; name the primary server to change anything.',
];
const waiting: Refusal = ['STORE_BUSY', 'The store is locked by another process; try again.'];
const refused: Refusal = [
  'INVALID_ARGUMENT',
  'A value holds a character that a database cannot keep; remove NUL characters.',
];
/** Out of room, it ends connections as they begin, with a code that says nothing. */
const endsConnections: Refusal = [
  'STORE_UNAVAILABLE',
  'The database ends its connections; look into its log, the disk under it may be full.',
];
const damaged: Refusal = [
  'STORE_CORRUPT',
  'The store is damaged; restore the database from a copy or name another one.',
];

const refusals: Readonly<Record<string, Refusal>> = {
  '08P01': unreachable,
  '22021': refused,
  '22P05': refused,
  '25006': readOnly,
  '28000': denied,
  '28P01': denied,
  '3D000': ['STORE_UNAVAILABLE', 'There is no such database; create it with createdb or name another one.'],
  '40001': waiting,
  '40P01': waiting,
  '42501': [
    'STORE_UNAVAILABLE',
    'The user may not do this in the database; make it the owner of the database.',
  ],
  '42703': damaged,
  '42P01': damaged,
  '53100': ['STORE_UNAVAILABLE', 'The disk under the database is full; make room and try again.'],
  '53200': ['STORE_UNAVAILABLE', 'The database ran out of memory; try again.'],
  '53300': crowded,
  '55P03': waiting,
  '57014': ['STORE_BUSY', 'The database cancelled the query; try again.'],
  '57P03': ['STORE_BUSY', 'The database is starting or stopping; try again.'],
  XX001: damaged,
  XX002: damaged,
};

const network =
  /^(E(CONN(REFUSED|RESET|ABORTED)|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|PIPE|TIMEDOUT|ACCES)|ENOENT)$/;
/** Errors of the driver that have no code. */
const lostWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed))/i;
const untrusted = /certificate|self.signed|SSL|TLS/i;

const ofDatabase = new WeakSet<object>();

/** What the database or the way to it threw; errors of callers pass through the store as they are. */
export function fromDatabase<T>(error: T): T {
  if (typeof error === 'object' && error !== null) ofDatabase.add(error);
  return error;
}

function isFromDatabase(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && ofDatabase.has(error);
}

function codeOf(error: unknown): string {
  if (!isFromDatabase(error)) return '';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function wordsOf(error: unknown): string {
  return isFromDatabase(error) ? String(error.message) : '';
}

function hasEndedIt(error: unknown): boolean {
  return codeOf(error) === 'XX000' && (error as { severity?: unknown }).severity === 'FATAL';
}

/** The connection is gone: nobody answers on it any more. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return (
    hasEndedIt(error) || /^(08|57P0[12])/.test(code) || network.test(code) || lostWords.test(wordsOf(error))
  );
}

/** Nothing was done, and a moment later it may be. */
export function passes(error: unknown): boolean {
  return /^(40001|40P01|53300|57P03)$/.test(codeOf(error));
}

/** A value was at fault, not the database: others that went with it may be written without it. */
export function isOfValue(error: unknown): boolean {
  return /^(2[123]|54)/.test(codeOf(error));
}

/** A statement behind the one that failed. */
export function isAftermath(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

export function toStoreRefusal(error: unknown): unknown {
  if (!isFromDatabase(error)) return error;
  const code = codeOf(error);
  const known =
    refusals[code] ?? (hasEndedIt(error) ? endsConnections : isLost(error) ? unreachable : undefined);
  if (known !== undefined)
    return new GalleyError(known[0], known[1], code === '' ? {} : { details: { code } });
  if (untrusted.test(wordsOf(error)) || untrusted.test(code)) {
    return new GalleyError(
      'STORE_UNAVAILABLE',
      'No secure connection to the database; check sslmode in its address, and its certificate.',
    );
  }
  return toGalleyError(error);
}

export function readOnlyDatabase(): GalleyError {
  return new GalleyError(readOnly[0], readOnly[1]);
}

/** The connection went while the end of a write was under way. */
export function unsureWrite(): GalleyError {
  return new GalleyError(
    'STORE_UNAVAILABLE',
    'The connection to the database was lost at the end of a write, which may have been written; look before you repeat it.',
    { details: { unsure: true } },
  );
}
