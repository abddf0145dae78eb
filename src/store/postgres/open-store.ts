// Opens a store in a PostgreSQL database that many processes share: reads go out in batches, writes one after the other in
// their project.
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { repeatWhile } from '../repeat-while.js';
import type { Store } from '../store.js';
import type { StoreRows } from '../store-rows.js';
import { type Migration, migrations } from '../tables/migrations.js';
import { repositoriesIn } from '../tables/repositories.js';
import type { Database, Schema } from '../tables/schema.js';
import type { MemoryBounds } from '../tables/term-scores.js';
import { askedOnce } from './asked-once.js';
import { chunkIndexIn } from './chunk-index.js';
import { type ConnectionOptions, type Connections, connect } from './connect.js';
import { migrate } from './migrate.js';
import { presenceIn } from './presence.js';
import { inProject, scopedCalls } from './project-scope.js';
import { batchedReads } from './read-batches.js';
import { isLost, passes, readOnlyDatabase, toStoreRefusal } from './refusals.js';
import { countChange, rememberedReads } from './remembered-reads.js';
import { forgetChunks, postgresWords } from './search-chunks.js';
import { writeQueue } from './write-queue.js';

export interface PostgresStoreOptions extends Pick<ConnectionOptions, 'onRoundTrip'> {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId?: () => string;
  /** How long a call waits for other processes, or for a server that starts again, before it is refused; 5000 unless told. */
  readonly patienceMs?: number;
  /** How many receipts of each project are kept; 200 unless told. */
  readonly receiptsKept?: number;
  /** At most so many connections; 10 unless told. */
  readonly connections?: number;
  readonly migrations?: readonly Migration[];
  /** How much of earlier searches is remembered. */
  readonly remembered?: MemoryBounds;
  /** In place of the clock of the database server, which all who share the store agree on. */
  readonly time?: () => number;
}

const serverTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export async function openStore(options: PostgresStoreOptions): Promise<Store> {
  return (await openRows(options)).store;
}

export async function openRows(options: PostgresStoreOptions): Promise<StoreRows> {
  const { url, now, newId = randomUUID, patienceMs = 5000, receiptsKept = 200 } = options;
  const most = Math.max(2, options.connections ?? 10);
  const connections = await connect({ url, connections: most, patienceMs, onRoundTrip: options.onRoundTrip });
  try {
    const steps = { migrations: options.migrations ?? migrations, words: postgresWords };
    await repeatWhile(passes, patienceMs, () => migrate(connections, steps));
  } catch (error) {
    await connections.close();
    throw toStoreRefusal(error);
  }

  const running = new Set<Promise<unknown>>();
  let closed = false;
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new GalleyError('STORE_UNAVAILABLE', 'The store is closed; open it again.');
    const answer = work();
    running.add(answer);
    try {
      return await answer;
    } finally {
      running.delete(answer);
    }
  };
  const repeat = <T>(attempt: () => Promise<T>) =>
    repeatWhile((error) => passes(error) || isLost(error), patienceMs, attempt);
  const reads = batchedReads(connections, repeat);
  const { write, writeAtOnce } = writeQueue({
    ...{ connections, patienceMs, repeat },
    atOnce: most - Math.ceil(most / 4),
  });
  const read: Database['read'] = (query) => whileOpen(() => query(reads));
  const database: Database = {
    read,
    remember: rememberedReads(read),
    write: (project, change) => whileOpen(() => write(project, change, countChange)),
    writeAside: (project, change) => whileOpen(() => write(project, change)),
    writeAtOnce: (project, statements) => whileOpen(() => writeAtOnce(project, statements(reads))),
    forgetChunks,
    now,
    time: async (db) => options.time?.() ?? timeOf(db),
    newId,
  };
  const groups = {
    ...repositoriesIn(database, receiptsKept),
    chunks: chunkIndexIn(database, options.remembered),
  };
  const scoped = Object.entries(groups).map(([name, group]) => [
    name,
    // A skill may serve all projects.
    scopedCalls(group, name === 'skills' ? 1 : 0),
  ]);
  const presence = presenceIn({ url, patienceMs, connections });
  const store: Store = {
    ...(Object.fromEntries(scoped) as typeof groups),
    presence,
    together: askedOnce,
    checkWritable: () => whileOpen(() => repeat(() => checkWritable(connections)).catch(refuse)),
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled(running);
      await presence.leave();
      await connections.close();
    },
  };
  return {
    store,
    read: (project, query) => inProject(project, () => read(query)),
    write: database.write,
  };
}

/** A standby says so too, before and after it is promoted: every transaction of it is read-only. */
async function checkWritable(connections: Connections): Promise<void> {
  const asked = { text: `select current_setting('transaction_read_only') as "readOnly"` };
  const [answer] = await connections.hold((session) => session.send([asked]));
  if (answer?.rows[0]?.readOnly === 'on') throw readOnlyDatabase();
}

function refuse(error: unknown): never {
  throw toStoreRefusal(error);
}

async function timeOf(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ time: number }>`select ${serverTime} as time`.execute(db);
  return rows[0]?.time ?? 0;
}
