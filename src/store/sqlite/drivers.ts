// Which SQLite bindings does this runtime offer? Best first.
import { GalleyError } from '../../core/model/error.js';
import {
  keepStatements,
  type SqliteDriver,
  type SqliteRow,
  type SqliteValue,
  toStoreRefusal,
} from './connection.js';

export async function availableDrivers(): Promise<readonly SqliteDriver[]> {
  const drivers = [loadNodeDriver(), await loadLibsqlDriver()];
  return drivers.filter((driver) => driver !== undefined);
}

export async function bestDriver(): Promise<SqliteDriver> {
  const driver = loadNodeDriver() ?? (await loadLibsqlDriver());
  if (driver !== undefined) return driver;
  throw new GalleyError(
    'STORE_UNAVAILABLE',
    'No SQLite is available; use Node 22.13 or later, or install the package libsql.',
  );
}

interface NodeStatement {
  all(...parameters: SqliteValue[]): SqliteRow[];
  get(...parameters: SqliteValue[]): SqliteRow | undefined;
  run(...parameters: SqliteValue[]): { changes: number | bigint };
}

interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}

type NodeSqlite = { readonly DatabaseSync: new (location: string) => NodeDatabase };

/** The runtime's own SQLite, where it has one. */
function loadNodeDriver(): SqliteDriver | undefined {
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
            first: (parameters) => statement.get(...parameters),
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

interface LibsqlStatement {
  readonly reader: boolean;
  raw(on: boolean): LibsqlStatement;
  columns(): { name: string }[];
  all(parameters: SqliteValue[]): unknown[][];
  get(parameters: SqliteValue[]): unknown[] | undefined;
  run(parameters: SqliteValue[]): { changes: number };
}

interface LibsqlDatabase {
  prepare(sql: string): LibsqlStatement;
  exec(sql: string): void;
  close(): void;
}

/** The prebuilt binding for runtimes without an SQLite of their own. */
async function loadLibsqlDriver(): Promise<SqliteDriver | undefined> {
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
            first(parameters) {
              const values = statement.get(parameters);
              return values === undefined ? undefined : toRow(names, values);
            },
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
