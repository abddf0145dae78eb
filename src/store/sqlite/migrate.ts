// Brings a store to the newest schema, one numbered step a transaction. Strangers' files and newer stores are refused untouched.
import { type Kysely, sql, type Transaction } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { EngineWords, Migration } from '../sql/migrations.js';
import type { Schema } from '../sql/schema.js';

const galley = 0x47414c59;

interface Mark {
  readonly version: number;
  readonly application: number;
  readonly tables: number;
}

async function readMark(db: Kysely<Schema>): Promise<Mark> {
  const { rows } = await sql<Mark>`select
    (select user_version from pragma_user_version) as version,
    (select application_id from pragma_application_id) as application,
    (select count(*) from sqlite_schema) as tables`.execute(db);
  return rows[0] as Mark;
}

function checkMark({ version, application, tables }: Mark, newest: number): void {
  const blank = application === 0 && version === 0 && tables === 0;
  if (application !== galley && !blank) {
    throw new GalleyError('STORE_CORRUPT', 'The file is the database of another program; name another one.');
  }
  if (version > newest) {
    throw new GalleyError(
      'STORE_TOO_NEW',
      'The store was written by a newer Galley; update Galley to read it.',
      {
        details: { version, supported: newest },
      },
    );
  }
}

async function step(db: Transaction<Schema>, migration: Migration, words: EngineWords): Promise<void> {
  const { version } = await readMark(db);
  // Another process may have taken this step while we waited for the lock.
  if (version >= migration.number) return;
  await migration.up(db, words);
  await sql.raw(`pragma application_id = ${galley}`).execute(db);
  await sql.raw(`pragma user_version = ${migration.number}`).execute(db);
}

export async function migrate(
  db: Kysely<Schema>,
  migrations: readonly Migration[],
  words: EngineWords,
): Promise<void> {
  const newest = migrations.at(-1)?.number ?? 0;
  const mark = await readMark(db);
  checkMark(mark, newest);
  for (const migration of migrations) {
    if (migration.number > mark.version) {
      await db.transaction().execute((transaction) => step(transaction, migration, words));
    }
  }
}
