// Brings a database to the newest schema, one numbered step a transaction, however many processes start at once. Strangers'
// databases, newer stores and databases that cannot keep our texts are refused untouched.
import type { Transaction } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { EngineWords, Migration } from '../tables/migrations.js';
import type { Schema } from '../tables/schema.js';
import { bytewiseTexts } from './bytewise-texts.js';
import type { Connections, Session } from './connect.js';
import { raiseWalls } from './project-walls.js';
import { answerOf, queryLayer, statementOf } from './read-batches.js';

const oldestServer = 15;
const migrationLock = `select pg_advisory_xact_lock(${0x47414c59}, 0)`;

const askServer = `select current_setting('server_version_num')::int / 10000 as server,
  current_setting('server_encoding') as encoding,
  to_regclass('galley_version') is not null as ours,
  (select count(*) from pg_class where relkind in ('r', 'p', 'v', 'm') and relnamespace = to_regnamespace(current_schema())) as tables`;

interface Mark {
  readonly server: number;
  readonly encoding: string;
  /** 0: nothing was ever stored here. */
  readonly version: number;
}

/** Only reads: whoever is refused here finds the database as it was. */
export async function admitVersion(session: Session, migrations: readonly Migration[]): Promise<Mark> {
  const [answer] = await session.send([{ text: askServer }]);
  const { server, encoding, ours, tables } = answer?.rows[0] ?? {};
  if (server < oldestServer)
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      'The database is too old; Galley needs PostgreSQL 15 or later.',
      {
        details: { server, oldest: oldestServer },
      },
    );
  if (encoding !== 'UTF8')
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      'The database is not encoded in UTF-8; make one with createdb --encoding=UTF8 --template=template0.',
      { details: { encoding } },
    );
  if (!ours && tables > 0)
    throw new GalleyError(
      'STORE_CORRUPT',
      'The database holds the tables of another program; name an empty one.',
    );
  const version = ours ? await versionOf(session) : 0;
  const supported = migrations.at(-1)?.number ?? 0;
  if (version > supported)
    throw new GalleyError(
      'STORE_TOO_NEW',
      'The store was written by a newer Galley; update Galley to read it.',
      {
        details: { version, supported },
      },
    );
  return { server, encoding, version };
}

async function versionOf(session: Session): Promise<number> {
  const [answer] = await session.send([{ text: 'select number from galley_version' }]);
  return answer?.rows[0]?.number ?? 0;
}

export async function migrate(
  connections: Connections,
  { migrations, words }: { migrations: readonly Migration[]; words: EngineWords },
): Promise<void> {
  await connections.hold(async (session) => {
    const { version } = await admitVersion(session, migrations);
    const missing = migrations.filter(({ number }) => number > version);
    if (missing.length > 0) await inTransaction(session, () => begin(session, migrations));
    for (const migration of missing) {
      await inTransaction(session, async () => {
        // Another process may have taken this step while we waited for the lock.
        if ((await versionOf(session)) >= migration.number) return;
        await migration.up(transactionOver(session), words);
        await raiseWalls(session);
        await session.send([{ text: 'update galley_version set number = $1', values: [migration.number] }]);
      });
    }
  });
}

async function begin(session: Session, migrations: readonly Migration[]): Promise<void> {
  await admitVersion(session, migrations);
  await session.send([
    { text: 'create table if not exists galley_version (number integer not null)' },
    { text: 'insert into galley_version select 0 where not exists (select from galley_version)' },
    {
      text: 'create table if not exists galley_changes (project text collate "C" primary key, number bigint not null)',
    },
  ]);
}

async function inTransaction(session: Session, work: () => Promise<void>): Promise<void> {
  await session.send([{ text: 'begin' }, { text: migrationLock }]);
  try {
    await work();
  } catch (error) {
    await session.send([{ text: 'rollback' }]).catch(() => {});
    throw error;
  }
  await session.send([{ text: 'commit' }]);
}

function transactionOver(session: Session): Transaction<Schema> {
  const db = queryLayer(async (query) => {
    const [answer] = await session.send([statementOf(query)]);
    return answerOf(answer as Parameters<typeof answerOf>[0]);
  });
  return db.withPlugin(bytewiseTexts) as Transaction<Schema>;
}
