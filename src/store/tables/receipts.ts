// What was sent before. The newest of each project are kept, older ones go.
import type { Compilable, Kysely } from 'kysely';
import { alreadyExists, checkedJson, checkedLimit, checkedName, notFound } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface ReceiptEntry {
  readonly id: string;
  readonly project: string;
  readonly operation: string;
  readonly createdAt: number;
  /** JSON shown in lists. */
  readonly summary: Readonly<Record<string, unknown>>;
}

export interface StoredReceipt extends ReceiptEntry {
  /** JSON. */
  readonly value: unknown;
}

export interface ReceiptDraft {
  readonly id?: string;
  readonly operation: string;
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

export interface Receipts {
  /** A taken id is ALREADY_EXISTS: receipts never change. */
  put(project: string, draft: ReceiptDraft): Promise<ReceiptEntry>;
  get(project: string, id: string): Promise<StoredReceipt>;
  /** Newest first, 50 unless told. */
  list(project: string, options?: { limit?: number; operation?: string }): Promise<readonly ReceiptEntry[]>;
}

const entryColumns = ['id', 'project', 'operation', 'created_at as createdAt', 'summary'] as const;

function dropOlder(db: Kysely<Schema>, project: string, kept: number): Compilable {
  const oldestKept = db
    .selectFrom('receipts')
    .select('sequence')
    .where('project', '=', project)
    .orderBy('sequence', 'desc')
    .limit(1)
    .offset(kept - 1);
  return db.deleteFrom('receipts').where('project', '=', project).where('sequence', '<', oldestKept);
}

export function receiptsIn(database: Database, kept: number): Receipts {
  return {
    async put(project, draft) {
      const row = {
        id: checkedName('id', draft.id ?? database.newId()),
        operation: checkedName('operation', draft.operation),
        created_at: database.now(),
        summary: checkedJson('summary', draft.summary ?? {}),
        value: checkedJson('value', draft.value),
      };
      const [inserted] = await database.writeAtOnce(project, (db) => [
        db
          .insertInto('receipts')
          .values({ project, ...row })
          .onConflict((conflict) => conflict.columns(['project', 'id']).doNothing()),
        dropOlder(db, project, kept),
      ]);
      if (inserted?.numAffectedRows === 0n) throw alreadyExists('receipt', 'id');
      const { id, operation } = row;
      return { id, project, operation, createdAt: row.created_at, summary: JSON.parse(row.summary) };
    },
    async get(project, id) {
      const row = await database.read((db) =>
        db
          .selectFrom('receipts')
          .select([...entryColumns, 'value'])
          .where('project', '=', project)
          .where('id', '=', id)
          .executeTakeFirst(),
      );
      if (row === undefined) throw notFound('receipt');
      return { ...row, summary: JSON.parse(row.summary), value: JSON.parse(row.value) };
    },
    async list(project, { limit = 50, operation } = {}) {
      const rows = await database.read((db) => {
        let query = db.selectFrom('receipts').select(entryColumns).where('project', '=', project);
        if (operation !== undefined) query = query.where('operation', '=', operation);
        return query.orderBy('sequence', 'desc').limit(checkedLimit(limit)).execute();
      });
      return rows.map((row) => ({ ...row, summary: JSON.parse(row.summary) }));
    },
  };
}
