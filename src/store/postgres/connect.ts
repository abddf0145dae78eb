// Connections to PostgreSQL, loaded only for those who use it. Several statements go out together and are answered in one round
// trip; none is named and no session keeps anything, so a pooler may hand every transaction to another server connection.
import type { PoolClient, PoolConfig, QueryResult } from 'pg';
import { checkStorePath } from '../check-store-path.js';
import { fromDatabase, isAftermath, isLost } from './refusals.js';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface Session {
  /** In one round trip, in order; throws the first error. */
  send(statements: readonly Statement[]): Promise<readonly QueryResult[]>;
}

export interface Connections {
  /** One connection for as long as `work` takes; a lost one is not used again. */
  hold<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly connections: number;
  readonly patienceMs: number;
  /** Told of every round trip. */
  readonly onRoundTrip?: ((statements: readonly Statement[]) => void) | undefined;
}

/** Numbers of 64 bits and sums of them: everything we count stays far below the limit. */
const counted = new Set([20, 1700]);

export async function connect(options: ConnectionOptions): Promise<Connections> {
  const { default: pg } = await import('pg');
  checkStorePath(options.url);
  const config: PoolConfig & { pipeline: boolean } = {
    connectionString: options.url,
    application_name: 'galley',
    max: options.connections,
    connectionTimeoutMillis: options.patienceMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    allowExitOnIdle: true,
    pipeline: true,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        counted.has(oid) ? Number : pg.types.getTypeParser(oid, format as 'text'),
    } as NonNullable<PoolConfig['types']>,
  };
  const pool = new pg.Pool(config);
  // An idle connection that breaks is replaced by the next one.
  pool.on('error', () => {});
  const sessionOf = (client: PoolClient): Session => ({
    async send(statements) {
      options.onRoundTrip?.(statements);
      const answers = await Promise.allSettled(
        statements.map(({ text, values = [] }) => client.query(text, values as unknown[])),
      );
      const failures = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [fromDatabase(answer.reason)] : [],
      );
      if (failures.length > 0) throw failures.find((error) => !isAftermath(error)) ?? failures[0];
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    },
  });
  return {
    async hold(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw fromDatabase(error);
      });
      // Told to whoever waits for an answer; without a listener it would end the process.
      const ignore = () => {};
      client.on('error', ignore);
      let isBroken = false;
      try {
        return await work(sessionOf(client));
      } catch (error) {
        isBroken = isLost(error);
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(isBroken);
      }
    },
    close: () => pool.end(),
  };
}
