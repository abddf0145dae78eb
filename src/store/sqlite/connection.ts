// The thin driver: what the engine asks of an SQLite binding, and nothing more. Synchronous; rows are plain objects.

export type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteRow = Record<string, unknown>;

export interface SqliteConnection {
  /** Statements are prepared once and kept. */
  all(sql: string, parameters: readonly unknown[]): SqliteRow[];
  /** The number of changed rows. */
  run(sql: string, parameters: readonly unknown[]): number;
  exec(sql: string): void;
  close(): void;
}

export interface SqliteDriver {
  readonly name: 'node:sqlite' | 'libsql';
  /** A file path, `:memory:` or a `file:` address made by the engine. */
  connect(location: string): SqliteConnection;
}
