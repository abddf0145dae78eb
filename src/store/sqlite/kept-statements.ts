// Prepared statements by their text, the oldest giving way. Every call is translated into our errors and dies with close.
import { GalleyError } from '../../core/model/error.js';
import { boundValues } from './bound-values.js';
import type { SqliteConnection, SqliteRow, SqliteValue } from './connection.js';
import { toStoreRefusal } from './refusals.js';

const keptLimit = 256;

interface Statement {
  all(parameters: SqliteValue[]): SqliteRow[];
  run(parameters: SqliteValue[]): number;
}

interface Binding {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

export function keepStatements(binding: Binding): SqliteConnection {
  const kept = new Map<string, Statement>();
  let open = true;
  const statement = (sql: string): Statement => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const fresh = binding.prepare(sql);
    kept.set(sql, fresh);
    if (kept.size > keptLimit) kept.delete(kept.keys().next().value as string);
    return fresh;
  };
  const guarded = <T>(action: () => T): T => {
    if (!open) throw new GalleyError('STORE_UNAVAILABLE', 'The store is closed; open it again.');
    try {
      return action();
    } catch (error) {
      throw toStoreRefusal(error);
    }
  };
  return {
    all: (sql, parameters) => guarded(() => statement(sql).all(boundValues(parameters))),
    run: (sql, parameters) => guarded(() => statement(sql).run(boundValues(parameters))),
    exec: (sql) => guarded(() => binding.exec(sql)),
    close() {
      if (!open) return;
      open = false;
      kept.clear();
      binding.close();
    },
  };
}
