// Brings a store to the newest schema, one numbered step a transaction. Strangers' files and newer stores are refused untouched.
import type { Kysely } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { EngineWords, Migration } from '../tables/migrations.js';
import type { Schema } from '../tables/schema.js';
import type { SqliteConnection } from './connection.js';

const galley = 0x47414c59;

interface Mark {
  readonly version: number;
  readonly application: number;
  readonly tables: number;
}

const askMark = `select
  (select user_version from pragma_user_version) as version,
  (select application_id from pragma_application_id) as application,
  (select count(*) from sqlite_schema) as tables`;

function readMark(connection: SqliteConnection): Mark {
  return connection.all(askMark, [])[0] as unknown as Mark;
}

/** Only reads: whoever is refused here finds the file as it was. */
export function admitVersion(connection: SqliteConnection, migrations: readonly Migration[]): void {
  const { version, application, tables } = readMark(connection);
  const blank = application === 0 && version === 0 && tables === 0;
  if (application !== galley && !blank) {
    throw new GalleyError('STORE_CORRUPT', 'The file is the database of another program; name another one.');
  }
  const supported = migrations.at(-1)?.number ?? 0;
  if (version > supported) {
    throw new GalleyError(
      'STORE_TOO_NEW',
      'The store was written by a newer Galley; update Galley to read it.',
      {
        details: { version, supported },
      },
    );
  }
}

/** `db` and `connection` are the same connection. */
export async function migrate(
  db: Kysely<Schema>,
  connection: SqliteConnection,
  { migrations, words }: { migrations: readonly Migration[]; words: EngineWords },
): Promise<void> {
  for (const migration of migrations) {
    if (readMark(connection).version >= migration.number) continue;
    await db.transaction().execute(async (transaction) => {
      // Another process may have taken this step while we waited for the lock.
      if (readMark(connection).version >= migration.number) return;
      await migration.up(transaction, words);
      connection.exec(`pragma application_id = ${galley}`);
      connection.exec(`pragma user_version = ${migration.number}`);
    });
  }
}
