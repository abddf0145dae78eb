// The thin driver: what the engine asks of an SQLite binding. Synchronous; values are checked before they are bound, statements are
// kept by their text, and errors become ours by result code.
import { LRUCache } from 'lru-cache';
import { type ErrorCode, GalleyError, isGalleyError, toGalleyError } from '../../core/model/error.js';

export type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteRow = Record<string, unknown>;

export interface SqliteConnection {
  /** Statements are prepared once and kept. */
  all(sql: string, parameters: readonly unknown[]): SqliteRow[];
  /** The first row alone; some bindings take much less time for it. */
  first(sql: string, parameters: readonly unknown[]): SqliteRow | undefined;
  /** The number of changed rows. */
  run(sql: string, parameters: readonly unknown[]): number;
  exec(sql: string): void;
  close(): void;
}

export interface SqliteDriver {
  readonly name: 'node:sqlite' | 'libsql';
  /** A file path, `:memory:` or a `file:` address made by the engine. */
  connect(location: string): SqliteConnection;
}

const maxStatements = 256;

interface Statement {
  all(parameters: SqliteValue[]): SqliteRow[];
  first(parameters: SqliteValue[]): SqliteRow | undefined;
  run(parameters: SqliteValue[]): number;
}

interface Binding {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/**
 * Prepared statements by their text, the longest unused giving way. Every call is translated into our errors and dies with close.
 */
export function keepStatements(binding: Binding): SqliteConnection {
  const kept = new LRUCache<string, Statement>({ max: maxStatements });
  let open = true;
  const statement = (sql: string): Statement => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const fresh = binding.prepare(sql);
    kept.set(sql, fresh);
    return fresh;
  };
  const guarded = <T>(action: () => T): T => {
    if (!open) throw new GalleyError('STORE_UNAVAILABLE', 'The store is closed; open it again.');
    try {
      return action();
    } catch (error) {
      throw toStoreRefusal(error);
    }
  };
  return {
    all: (sql, parameters) => guarded(() => statement(sql).all(boundValues(parameters))),
    first: (sql, parameters) => guarded(() => statement(sql).first(boundValues(parameters))),
    run: (sql, parameters) => guarded(() => statement(sql).run(boundValues(parameters))),
    exec: (sql) => guarded(() => binding.exec(sql)),
    close() {
      if (!open) return;
      open = false;
      kept.clear();
      binding.close();
    },
  };
}

/** What may be bound. Some bindings end the process or cut text on values they do not know, so all are checked here. */
function boundValues(parameters: readonly unknown[]): SqliteValue[] {
  return parameters.map(boundValue);
}

function boundValue(value: unknown): SqliteValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  // A whole number bound as a float would compare and print as one.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return value;
  throw new GalleyError('INTERNAL', 'The store was handed a value it cannot keep.', {
    details: { type: typeof value },
  });
}

const unavailable = 'The store cannot be written or opened; check its file, its folder and the free space.';

const refusals: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  3: ['STORE_UNAVAILABLE', unavailable],
  5: ['STORE_BUSY', 'The store is locked by another process; try again.'],
  6: ['STORE_BUSY', 'The store is locked by another call; try again.'],
  7: ['STORE_UNAVAILABLE', 'The store ran out of memory; close other programs and try again.'],
  8: ['STORE_UNAVAILABLE', 'The store is read-only; make its file and folder writable to change it.'],
  10: ['STORE_UNAVAILABLE', 'The disk failed under the store; check the disk and try again.'],
  11: ['STORE_CORRUPT', 'The store is damaged; restore its file from a copy or name another one.'],
  13: ['STORE_UNAVAILABLE', 'The disk under the store is full; make room and try again.'],
  14: ['STORE_UNAVAILABLE', unavailable],
  22: ['STORE_UNAVAILABLE', unavailable],
  23: ['STORE_UNAVAILABLE', unavailable],
  26: ['STORE_CORRUPT', 'The file is not a Galley store; name another one.'],
};

/** Primary result code of a binding's error, whichever way the binding spells it. */
function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { rawCode, errcode, message } = error as { rawCode?: unknown; errcode?: unknown; message?: unknown };
  if (typeof rawCode === 'number') return rawCode & 0xff;
  if (typeof errcode === 'number') return errcode & 0xff;
  const opening = /Unable to open connection to local database.*: (\d+)"/s.exec(String(message));
  return opening === null ? undefined : Number(opening[1]) & 0xff;
}

/** How do an SQLite binding's errors become ours? By result code; their messages may hold paths and stay behind. */
export function toStoreRefusal(error: unknown): GalleyError {
  if (isGalleyError(error)) return error;
  const code = resultCode(error);
  const refusal = code === undefined ? undefined : refusals[code];
  if (code === undefined || refusal === undefined) return toGalleyError(error);
  return new GalleyError(refusal[0], refusal[1], { details: { sqlite: code }, cause: error });
}

export function isBusy(error: unknown): boolean {
  return isGalleyError(error) && error.code === 'STORE_BUSY';
}
