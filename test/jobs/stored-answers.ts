// Which answers were stored, and when, by what the database says: it writes a line for each in the transaction that stores it. So
// it is known of a call whether its answer was there when whoever made it was killed, however long storing took.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseAddress } from '../../src/store/check-store-path.js';
import { bestDriver } from '../../src/store/sqlite/drivers.js';

export interface StoredAnswers {
  /** When, by the number that stands in the answer; the database's clock, in milliseconds. */
  all(): Promise<ReadonlyMap<number, number>>;
  close(): Promise<void>;
}

/** What a provider says, so that its answer is known again where it is stored. */
export const numbered = (nth: number) => `Fine, answer no. ${nth}.`;

const numberIn = (answer: string): number => Number(/answer no\. (\d+)\./.exec(answer)?.[1]);

interface Line {
  readonly answer: string;
  readonly at: number;
}

const postgresLog = `
  create table stored_answers (answer text, at double precision);
  create function log_stored_answer() returns trigger language plpgsql as $$ begin
    insert into stored_answers values (new.answer, extract(epoch from clock_timestamp()) * 1000);
    return new;
  end $$;
  create trigger stored_answers after insert on job_answers for each row
    when (new.digest not like 'begun %') execute function log_stored_answer()`;

const sqliteLog = `
  create table stored_answers (answer text, at real);
  create trigger log_stored_answer after insert on job_answers when new.digest not like 'begun %' begin
    insert into stored_answers values (new.answer, (julianday('now') - 2440587.5) * 86400000);
  end`;

const look = 'select answer, at from stored_answers';

/** Of a store whose tables are there. */
export async function storedAnswers(store: string): Promise<StoredAnswers> {
  const database = isDatabaseAddress(store) ? postgres(store) : await sqlite(store);
  await database.run(isDatabaseAddress(store) ? postgresLog : sqliteLog);
  return {
    async all() {
      const lines = (await database.run(look)) as readonly Line[];
      return new Map(lines.map(({ answer, at }) => [numberIn(answer), at]));
    },
    close: database.close,
  };
}

interface Asked {
  run(sql: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

function postgres(connectionString: string): Asked {
  return {
    async run(sql) {
      // It is restarted now and then.
      for (let tries = 0; ; tries += 1) {
        const client = new pg.Client({ connectionString });
        client.on('error', () => {});
        try {
          await client.connect();
          return (await client.query(sql)).rows;
        } catch (error) {
          if (tries > 100) throw error;
          await sleep(100);
        } finally {
          await client.end().catch(() => undefined);
        }
      }
    },
    close: async () => undefined,
  };
}

async function sqlite(path: string): Promise<Asked> {
  const connection = (await bestDriver()).connect(path);
  connection.exec('pragma busy_timeout = 30000');
  return {
    async run(sql) {
      if (sql === look) return connection.all(sql, []);
      connection.exec(sql);
      return [];
    },
    close: async () => connection.close(),
  };
}
