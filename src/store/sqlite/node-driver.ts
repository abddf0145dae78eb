// The runtime's own SQLite, where it has one.
import type { SqliteDriver, SqliteRow, SqliteValue } from './connection.js';
import { keepStatements } from './kept-statements.js';
import { toStoreRefusal } from './refusals.js';

interface NodeStatement {
  all(...parameters: SqliteValue[]): SqliteRow[];
  run(...parameters: SqliteValue[]): { changes: number | bigint };
}

interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}

type NodeSqlite = { readonly DatabaseSync: new (location: string) => NodeDatabase };

export function loadNodeDriver(): SqliteDriver | undefined {
  // Asked at run time, so that neither types nor bundlers of older runtimes stumble over the name.
  const module = quietly(() => process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined);
  if (module === undefined) return undefined;
  return {
    name: 'node:sqlite',
    connect(location) {
      let database: NodeDatabase;
      try {
        database = new module.DatabaseSync(location);
      } catch (error) {
        throw toStoreRefusal(error);
      }
      return keepStatements({
        prepare(sql) {
          const statement = database.prepare(sql);
          return {
            all: (parameters) => statement.all(...parameters),
            run: (parameters) => Number(statement.run(...parameters).changes),
          };
        },
        exec: (sql) => database.exec(sql),
        close: () => database.close(),
      });
    },
  };
}

/** Some runtimes call theirs experimental each time it is loaded; whether to use it was ours to decide. */
function quietly<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
