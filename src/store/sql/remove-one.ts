// Takes one row of a project away; a foreign or unknown key changes nothing and is NOT_FOUND.
import { sql, type Transaction } from 'kysely';
import { notFound } from './checked.js';
import type { Schema } from './schema.js';

export async function removeOne(
  db: Transaction<Schema>,
  from: { readonly table: keyof Schema; readonly kind: string },
  key: Readonly<Record<string, string>>,
): Promise<void> {
  const conditions = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rows } =
    await sql`delete from ${sql.table(from.table)} where ${sql.join(conditions, sql` and `)} returning 1`.execute(
      db,
    );
  if (rows.length === 0) throw notFound(from.kind);
}
