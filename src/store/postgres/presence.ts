// Who uses this database now? Each holds a lock on a connection of its own, in a transaction that stays open: the server gives the
// lock back as soon as the connection ends, and a pooler keeps an open transaction on one connection. Nothing is read in it, so it
// holds no snapshot and keeps nothing from being tidied away.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { GalleyError } from '../../core/model/error.js';
import type { Presence } from '../presence.js';
import type { Connections } from './connect.js';
import { fromDatabase, toStoreRefusal } from './refusals.js';

/** Our own corner of the keys for locks; the second of them. */
const lockClass = 0x47414c5a;
const longestNapMs = 1000;

interface PresenceOptions {
  readonly url: string;
  readonly patienceMs: number;
  readonly connections: Connections;
}

export interface HeldPresence extends Presence {
  leave(): Promise<void>;
}

export function presenceIn({ url, patienceMs, connections }: PresenceOptions): HeldPresence {
  const key = randomInt(2 ** 31 - 1);
  let client: Client | undefined;
  let entering: Promise<void> | undefined;
  let returning: Promise<void> | undefined;
  let isLeft = false;

  const hold = async (): Promise<void> => {
    const { default: pg } = await import('pg');
    const own = new pg.Client({
      ...{ connectionString: url, application_name: 'galley-presence' },
      ...{ connectionTimeoutMillis: patienceMs, keepAlive: true },
    });
    // Told by its end.
    own.on('error', () => {});
    try {
      await own.connect();
      await own.query(
        `begin; set local idle_in_transaction_session_timeout = 0; set local tcp_keepalives_idle = 10;
         set local tcp_keepalives_interval = 5; set local tcp_keepalives_count = 3;
         select pg_advisory_xact_lock(${lockClass}, ${key})`,
      );
    } catch (error) {
      await own.end().catch(() => undefined);
      throw fromDatabase(error);
    }
    // It keeps no process from ending.
    (own as Client & { unref(): void }).unref();
    own.once('end', () => {
      returning = comeBack();
    });
    client = own;
    if (isLeft) await own.end();
  };
  const comeBack = async (): Promise<void> => {
    client = undefined;
    for (let nap = 20; !isLeft; nap = Math.min(longestNapMs, nap * 2)) {
      const isHeld = await hold().then(
        () => true,
        () => false,
      );
      if (isHeld) {
        returning = undefined;
        return;
      }
      await sleep(nap, undefined, { ref: false });
    }
  };

  return {
    async enter() {
      entering ??= hold();
      try {
        await entering;
      } catch (error) {
        entering = undefined;
        throw toStoreRefusal(error);
      }
      if (returning === undefined) return String(key);
      // A call is noted only by one whom others can see.
      const isSeen = await Promise.race([
        returning.then(() => true),
        sleep(patienceMs, false, { ref: false }),
      ]);
      if (!isSeen)
        throw new GalleyError('STORE_UNAVAILABLE', 'The database takes no connection; is it running?');
      return String(key);
    },
    async has(name) {
      const statement = {
        text: `select 1 from pg_locks where locktype = 'advisory' and granted and classid = $1 and objid = $2
               and database = (select oid from pg_database where datname = current_database())`,
        values: [lockClass, Number(name)],
      };
      try {
        const [found] = await connections.hold((session) => session.send([statement]));
        return (found?.rowCount ?? 0) > 0;
      } catch (error) {
        throw toStoreRefusal(error);
      }
    },
    async leave() {
      isLeft = true;
      await entering?.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
