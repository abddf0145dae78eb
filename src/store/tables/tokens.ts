// Who may call a server that others share. A token is known by its digest alone; what it allows is the door's to say: here it is
// JSON. Whether it still holds is judged by the time of the store, for everybody alike.
import type { Kysely } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { alreadyExists, checkedInteger, checkedJson, notFound } from './checked.js';
import type { Database, Schema, TokenTable } from './schema.js';

export interface StoredToken {
  /** Its mark: the first twelve digits of its digest. */
  readonly id: string;
  /** SHA-256 of the token, in hex. */
  readonly digest: string;
  /** JSON. */
  readonly value: unknown;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly state: 'valid' | 'expired' | 'revoked';
}

export interface TokenChange {
  readonly value?: unknown;
  /** Null: it never expires. */
  readonly expiresAt?: number | null | undefined;
}

export interface Tokens {
  /** A digest or mark that is taken is ALREADY_EXISTS. */
  create(token: {
    readonly digest: string;
    readonly value: unknown;
    readonly lastsMs?: number;
  }): Promise<StoredToken>;
  /** Whatever its state. */
  find(digest: string): Promise<StoredToken | undefined>;
  get(id: string): Promise<StoredToken>;
  /** Oldest first. */
  list(): Promise<readonly StoredToken[]>;
  /** `decide` is synchronous, pure, and may be called again after a collision. */
  change(id: string, decide: (token: StoredToken, time: number) => TokenChange): Promise<StoredToken>;
  /** Once and for all; the first time counts. */
  revoke(id: string): Promise<StoredToken>;
}

const markLength = 12;

const hashed = /^[0-9a-f]{64}$/;

function toToken(row: TokenTable, time: number): StoredToken {
  const { id, digest, value, created_at, expires_at, revoked_at } = row;
  return {
    id,
    digest,
    value: JSON.parse(value),
    createdAt: created_at,
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
    ...(revoked_at === null ? {} : { revokedAt: revoked_at }),
    state: revoked_at !== null ? 'revoked' : expires_at !== null && expires_at <= time ? 'expired' : 'valid',
  };
}

async function current(database: Database, db: Kysely<Schema>, id: string): Promise<StoredToken> {
  const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('token');
  return toToken(row, await database.time(db));
}

export function tokensIn(database: Database): Tokens {
  return {
    async create({ digest, value, lastsMs }) {
      if (!hashed.test(digest))
        throw new GalleyError('INVALID_ARGUMENT', 'digest must be SHA-256 in lower-case hex.', {
          details: { field: 'digest' },
        });
      const id = digest.slice(0, markLength);
      const json = checkedJson('value', value);
      return database.writeAside(undefined, async (db) => {
        const time = await database.time(db);
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('tokens')
          .values({
            id,
            digest,
            value: json,
            created_at: time,
            expires_at: lastsMs === undefined ? null : time + checkedInteger('lastsMs', lastsMs),
            revoked_at: null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) throw alreadyExists('token', 'digest');
        return current(database, db, id);
      });
    },
    find: (digest) =>
      database.read(async (db) => {
        const row = await db.selectFrom('tokens').selectAll().where('digest', '=', digest).executeTakeFirst();
        if (row === undefined) return undefined;
        // Whoever never expires costs no second question.
        return toToken(row, row.expires_at === null ? 0 : await database.time(db));
      }),
    get: (id) => database.read((db) => current(database, db, id)),
    list: () =>
      database.read(async (db) => {
        const time = await database.time(db);
        const rows = await db.selectFrom('tokens').selectAll().orderBy('created_at').orderBy('id').execute();
        return rows.map((row) => toToken(row, time));
      }),
    change: (id, decide) =>
      database.writeAside(undefined, async (db) => {
        const { value, expiresAt } = decide(await current(database, db, id), await database.time(db));
        const set = {
          ...(value === undefined ? {} : { value: checkedJson('value', value) }),
          ...(expiresAt === undefined
            ? {}
            : { expires_at: expiresAt === null ? null : checkedInteger('expiresAt', expiresAt) }),
        };
        if (Object.keys(set).length > 0)
          await db.updateTable('tokens').set(set).where('id', '=', id).execute();
        return current(database, db, id);
      }),
    revoke: (id) =>
      database.writeAside(undefined, async (db) => {
        await db
          .updateTable('tokens')
          .set({ revoked_at: await database.time(db) })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .execute();
        return current(database, db, id);
      }),
  };
}
