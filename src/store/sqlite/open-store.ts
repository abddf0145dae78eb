// Opens the embedded store. Reads and small writes share one connection; bulk indexing has its own, so reads go on.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { Kysely, type Transaction } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { processPresence } from '../presence.js';
import { repeatWhile } from '../repeat-while.js';
import type { Store } from '../store.js';
import type { StoreRows } from '../store-rows.js';
import { checkedName } from '../tables/checked.js';
import { type Migration, migrations } from '../tables/migrations.js';
import { repositoriesIn } from '../tables/repositories.js';
import type { Database, Schema } from '../tables/schema.js';
import { checkRoom } from './check-room.js';
import { chunkIndexIn } from './chunk-index.js';
import { isBusy, type SqliteDriver } from './connection.js';
import { sqliteDialect } from './dialect.js';
import { bestDriver } from './drivers.js';
import { admitVersion, migrate } from './migrate.js';
import { locationOf, makeFolder, openFile } from './open-file.js';
import { rememberedReads } from './remembered-reads.js';
import { forgetChunks, sqliteWords } from './search-chunks.js';

export interface StoreOptions {
  /** A file, made when it is missing, or `:memory:`. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId?: () => string;
  /** How long a call waits for other processes before STORE_BUSY; 5000 unless told. */
  readonly patienceMs?: number;
  /** How many receipts of each project are kept; 200 unless told. */
  readonly receiptsKept?: number;
  /** The best one of the runtime unless told. */
  readonly driver?: SqliteDriver;
  readonly migrations?: readonly Migration[];
}

type Write = <T>(project: string | undefined, change: (db: Transaction<Schema>) => Promise<T>) => Promise<T>;

/** Writes of one handle queue up; only other processes are waited for. */
function writeQueue(patienceMs: number, checkOpen: () => void) {
  let last: Promise<unknown> = Promise.resolve();
  /** Projects never leave, so one that was seen once is there. */
  const known = new Set<string>();
  const writeOver =
    (connect: () => Promise<Kysely<Schema>>): Write =>
    async (project, change) => {
      checkOpen();
      if (project !== undefined) checkedName('projectId', project);
      const turn = last.then(async () => {
        const db = await connect();
        const outcome = await waitWhileBusy(patienceMs, () =>
          db.transaction().execute(async (transaction) => {
            if (project !== undefined && !known.has(project)) {
              await transaction
                .insertInto('projects')
                .values({ id: project, settings: '{}', folder: null })
                .onConflict((conflict) => conflict.column('id').doNothing())
                .execute();
            }
            return change(transaction);
          }),
        );
        if (project !== undefined) known.add(project);
        return outcome;
      });
      last = turn.catch(() => {});
      return turn;
    };
  return { writeOver, settled: () => last };
}

export async function openStore(options: StoreOptions): Promise<Store> {
  return (await openRows(options)).store;
}

export async function openRows(options: StoreOptions): Promise<StoreRows> {
  const { path, now, newId = randomUUID, patienceMs = 5000, receiptsKept = 200 } = options;
  const driver = options.driver ?? (await bestDriver());
  const location = locationOf(path);
  await makeFolder(location);
  const steps = options.migrations ?? migrations;
  const connect = () =>
    waitWhileBusy(patienceMs, () =>
      openFile(driver, location, (connection) => admitVersion(connection, steps)),
    );

  const connection = await connect();
  const main = new Kysely<Schema>({ dialect: sqliteDialect(connection) });
  try {
    await waitWhileBusy(patienceMs, () =>
      migrate(main, connection, { migrations: steps, words: sqliteWords }),
    );
  } catch (error) {
    await main.destroy();
    throw error;
  }

  let bulk: Kysely<Schema> | undefined = location === ':memory:' ? main : undefined;
  const reading = new Set<Promise<unknown>>();
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new GalleyError('STORE_UNAVAILABLE', 'The store is closed; open it again.');
  };
  const checkPlace = sameFile(location);
  const { writeOver, settled } = writeQueue(patienceMs, () => {
    checkOpen();
    checkPlace();
  });
  const read: Database['read'] = async (query) => {
    checkOpen();
    const answer = waitWhileBusy(patienceMs, () => query(main));
    reading.add(answer);
    try {
      return await answer;
    } finally {
      reading.delete(answer);
    }
  };
  const { remember, touch } = rememberedReads(connection, read);
  const touching =
    (write: Write): Write =>
    (project, change) =>
      write(project, async (db) => {
        const outcome = await change(db);
        // Before the commit, while nobody else has the connection: who asks from now on reads what it leaves.
        touch();
        return outcome;
      });
  const writeAside = writeOver(async () => main);
  const database: Database = {
    read,
    remember,
    write: touching(writeAside),
    writeAside,
    writeAtOnce: (project, statements) =>
      writeAside(project, async (db) => {
        const answers = [];
        for (const each of statements(db)) answers.push(await db.executeQuery(each.compile()));
        return answers;
      }),
    forgetChunks,
    now,
    time: async () => now(),
    newId,
  };
  const bulkWrite = touching(
    writeOver(async () => {
      bulk ??= new Kysely<Schema>({ dialect: sqliteDialect(await connect()) });
      return bulk;
    }),
  );

  const store: Store = {
    ...repositoriesIn(database, receiptsKept),
    chunks: chunkIndexIn(database, bulkWrite),
    presence: processPresence(),
    together: (work) => work(),
    async checkWritable() {
      checkOpen();
      checkPlace();
      await checkRoom(location);
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled([settled(), ...reading]);
      await bulk?.destroy();
      await main.destroy();
    },
  };
  return { store, read: (_, query) => read(query), write: database.write };
}

/**
 * Is the open file still the one at its place? A file that was removed or replaced takes writes as before, and loses them.
 */
export function sameFile(location: string): () => void {
  const opened = identityOf(location);
  if (opened === undefined) return () => undefined;
  return () => {
    if (identityOf(location) === opened) return;
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      'The file of the store was removed or replaced while it was open; start again to open it anew.',
    );
  };
}

function identityOf(location: string): string | undefined {
  try {
    const { dev, ino } = statSync(location);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

async function waitWhileBusy<T>(patienceMs: number, attempt: () => Promise<T>): Promise<T> {
  return repeatWhile(isBusy, patienceMs, attempt);
}
