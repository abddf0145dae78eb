// Drafts of texts and the history of documents, for projects that have no folder of their own. What a draft and a step are is the
// writing desk's to say: here they are JSON.
import { createHash } from 'node:crypto';
import { checkedJson, checkedName, checkedText, notFound } from './checked.js';
import type { Database } from './schema.js';

export interface Drafts {
  /** Inserts, or replaces the draft of that id at its place. */
  put(project: string, id: string, value: unknown): Promise<void>;
  /** In the order they came. */
  list(project: string): Promise<readonly unknown[]>;
}

export interface Snapshots {
  /** Keeps a text under its hash (SHA-256, lowercase hexadecimal); the same text is kept once. */
  keep(project: string, text: string): Promise<string>;
  get(project: string, hash: string): Promise<string>;
  /** Written down once and never changed. */
  addStep(project: string, value: unknown): Promise<void>;
  /** Oldest first. */
  steps(project: string): Promise<readonly unknown[]>;
}

export function draftsIn(database: Database): Drafts {
  return {
    async put(project, id, value) {
      const row = { id: checkedName('id', id), value: checkedJson('value', value) };
      await database.writeAside(project, (db) =>
        db
          .insertInto('drafts')
          .values({ project, ...row })
          .onConflict((conflict) => conflict.columns(['project', 'id']).doUpdateSet({ value: row.value }))
          .execute(),
      );
    },
    async list(project) {
      const rows = await database.read((db) =>
        db.selectFrom('drafts').select('value').where('project', '=', project).orderBy('sequence').execute(),
      );
      return rows.map(({ value }) => JSON.parse(value) as unknown);
    },
  };
}

export function snapshotsIn(database: Database): Snapshots {
  return {
    async keep(project, text) {
      const row = {
        text: checkedText('text', text),
        content_hash: createHash('sha256').update(text).digest('hex'),
      };
      await database.writeAside(project, (db) =>
        db
          .insertInto('snapshots')
          .values({ project, ...row })
          .onConflict((conflict) => conflict.columns(['project', 'content_hash']).doNothing())
          .execute(),
      );
      return row.content_hash;
    },
    async get(project, hash) {
      const row = await database.read((db) =>
        db
          .selectFrom('snapshots')
          .select('text')
          .where('project', '=', project)
          .where('content_hash', '=', hash)
          .executeTakeFirst(),
      );
      if (row === undefined) throw notFound('snapshot');
      return row.text;
    },
    async addStep(project, value) {
      const step = checkedJson('value', value);
      await database.writeAside(project, (db) =>
        db.insertInto('steps').values({ project, value: step }).execute(),
      );
    },
    async steps(project) {
      const rows = await database.read((db) =>
        db.selectFrom('steps').select('value').where('project', '=', project).orderBy('sequence').execute(),
      );
      return rows.map(({ value }) => JSON.parse(value) as unknown);
    },
  };
}
