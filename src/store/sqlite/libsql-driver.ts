// The prebuilt binding for runtimes without an SQLite of their own.
import type { SqliteDriver, SqliteRow, SqliteValue } from './connection.js';
import { keepStatements } from './kept-statements.js';
import { toStoreRefusal } from './refusals.js';

interface LibsqlStatement {
  readonly reader: boolean;
  raw(on: boolean): LibsqlStatement;
  columns(): { name: string }[];
  all(parameters: SqliteValue[]): unknown[][];
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
          // Rows as lists, named here: half the cost of the binding's own objects.
          const statement = database.prepare(sql);
          const names = statement.reader
            ? statement
                .raw(true)
                .columns()
                .map(({ name }) => name)
            : [];
          return {
            all: (parameters) => statement.all(parameters).map((values) => toRow(names, values)),
            run: (parameters) => statement.run(parameters).changes,
          };
        },
        exec: (sql) => database.exec(sql),
        close: () => database.close(),
      });
    },
  };
}

function toRow(names: readonly string[], values: readonly unknown[]): SqliteRow {
  const row: SqliteRow = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
  return row;
}
