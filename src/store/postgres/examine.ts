// How is a database? Looked at and never changed: its version, what it needs, how far away it is, and whether its second wall
// stands for this user.
import { type Migration, migrations } from '../tables/migrations.js';
import { connect } from './connect.js';
import { admitVersion } from './migrate.js';
import { toStoreRefusal } from './refusals.js';

export interface ExaminedDatabase {
  /** Of PostgreSQL. */
  readonly server: number;
  /** 0: empty. */
  readonly version: number;
  readonly encoding: string;
  readonly hasExtension: boolean;
  readonly isReadOnly: boolean;
  /** Superusers and those told so see past walls between projects. */
  readonly passesWalls: boolean;
  readonly roundTripMs: number;
}

const ask = `select exists (select from pg_available_extensions where name = 'btree_gin') as "hasExtension",
  current_setting('transaction_read_only') = 'on' as "isReadOnly",
  (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "passesWalls"`;

const trips = 5;

export async function examineDatabase(
  url: string,
  { clock, steps = migrations }: { clock: () => number; steps?: readonly Migration[] },
): Promise<ExaminedDatabase> {
  const connections = await connect({ url, connections: 1, patienceMs: 5000 });
  try {
    return await connections.hold(async (session) => {
      const mark = await admitVersion(session, steps);
      const [answer] = await session.send([{ text: ask }]);
      const times: number[] = [];
      for (let trip = 0; trip < trips; trip += 1) {
        const begun = clock();
        await session.send([{ text: 'select 1' }]);
        times.push(clock() - begun);
      }
      return { ...mark, ...answer?.rows[0], roundTripMs: Math.min(...times) };
    });
  } catch (error) {
    throw toStoreRefusal(error);
  } finally {
    await connections.close();
  }
}
