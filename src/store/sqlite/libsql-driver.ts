// The prebuilt binding for runtimes without an SQLite of their own.
import type { SqliteDriver, SqliteRow, SqliteValue } from './connection.js';
import { keepStatements } from './kept-statements.js';
import { toStoreRefusal } from './refusals.js';

interface LibsqlStatement {
  all(parameters: SqliteValue[]): SqliteRow[];
  run(parameters: SqliteValue[]): { changes: number };
}

interface LibsqlDatabase {
  prepare(sql: string): LibsqlStatement;
  exec(sql: string): void;
  close(): void;
}

export async function loadLibsqlDriver(): Promise<SqliteDriver | undefined> {
  let open: new (location: string) => LibsqlDatabase;
  try {
    const module: { default: unknown } = await import('libsql');
    open = module.default as typeof open;
  } catch {
    return undefined;
  }
  return {
    name: 'libsql',
    connect(location) {
      let database: LibsqlDatabase;
      try {
        database = new open(location);
      } catch (error) {
        throw toStoreRefusal(error);
      }
      return keepStatements({
        prepare(sql) {
          const statement = database.prepare(sql);
          return {
            all: (parameters) => statement.all(parameters),
            run: (parameters) => statement.run(parameters).changes,
          };
        },
        exec: (sql) => database.exec(sql),
        close: () => database.close(),
      });
    },
  };
}
