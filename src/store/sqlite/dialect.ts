// The query layer over the thin driver: one connection, one user of it at a time, write transactions from their first word.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import type { SqliteConnection } from './connection.js';

export function sqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driverOver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function driverOver(connection: SqliteConnection): Driver {
  const handle: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery) => answer<R>(connection, query),
    streamQuery() {
      throw new GalleyError('INTERNAL', 'The store does not stream.');
    },
  };
  let last: Promise<void> = Promise.resolve();
  let release = (): void => {};
  return {
    async init() {},
    async acquireConnection() {
      const previous = last;
      let finish = (): void => {};
      last = new Promise((resolve) => {
        finish = resolve;
      });
      await previous;
      release = finish;
      return handle;
    },
    async releaseConnection() {
      release();
    },
    async beginTransaction() {
      connection.exec('begin immediate');
    },
    async commitTransaction() {
      connection.exec('commit');
    },
    async rollbackTransaction() {
      try {
        connection.exec('rollback');
      } catch {
        // A full disk has rolled back already; the first error is the one to tell.
      }
    },
    async destroy() {
      connection.close();
    },
  };
}

function answer<R>(connection: SqliteConnection, { query, sql, parameters }: CompiledQuery): QueryResult<R> {
  const returns =
    SelectQueryNode.is(query) || query.kind === 'RawNode' || ('returning' in query && query.returning);
  if (returns) return { rows: connection.all(sql, parameters) as R[] };
  return { rows: [], numAffectedRows: BigInt(connection.run(sql, parameters)) };
}
