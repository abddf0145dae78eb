// The texts one writes in, in reading order.
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { checkedName, checkedNumber, checkedText, notFound, removeOne } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface DocumentEntry {
  readonly id: string;
  readonly title: string;
  readonly order: number;
  /** SHA-256 of the text, lowercase hexadecimal. */
  readonly contentHash: string;
  readonly version: number;
  readonly updatedAt: number;
}

export interface StoredDocument extends DocumentEntry {
  readonly text: string;
}

interface DocumentDraft {
  readonly id: string;
  readonly text: string;
  /** Left out: as before, or the id of a new document. */
  readonly title?: string;
  /** Left out: as before, or behind the last one of the project. */
  readonly order?: number;
  /** Hash of the text it replaces: refused with CHANGED_MEANWHILE where another one is stored. */
  readonly replaces?: string;
}

export interface Documents {
  /** The version moves only when something changed. */
  put(project: string, draft: DocumentDraft): Promise<DocumentEntry>;
  get(project: string, id: string): Promise<StoredDocument>;
  find(project: string, id: string): Promise<StoredDocument | undefined>;
  /** By order, then id. */
  list(project: string): Promise<readonly DocumentEntry[]>;
  /** Takes the document's chunks out of the index as well. */
  delete(project: string, id: string): Promise<void>;
}

const entryColumns = [
  'id',
  'title',
  'position as order',
  'content_hash as contentHash',
  'version',
  'updated_at as updatedAt',
] as const;

async function nextPosition(db: Transaction<Schema>, project: string): Promise<number> {
  const last = await db
    .selectFrom('documents')
    .select((select) => select.fn.max('position').as('position'))
    .where('project', '=', project)
    .executeTakeFirst();
  return Math.floor(last?.position ?? 0) + 1;
}

async function put(database: Database, project: string, draft: DocumentDraft): Promise<DocumentEntry> {
  const id = checkedName('documentId', draft.id);
  const text = checkedText('text', draft.text);
  if (draft.title !== undefined) checkedText('title', draft.title);
  if (draft.order !== undefined) checkedNumber('order', draft.order);
  const contentHash = createHash('sha256').update(text).digest('hex');
  return database.write(project, async (db) => {
    const known = await db
      .selectFrom('documents')
      .select(entryColumns)
      .where('project', '=', project)
      .where('id', '=', id)
      .executeTakeFirst();
    if (draft.replaces !== undefined && known?.contentHash !== draft.replaces) throw changed();
    const title = draft.title ?? known?.title ?? id;
    const order = draft.order ?? known?.order ?? (await nextPosition(db, project));
    if (known?.title === title && known.order === order && known.contentHash === contentHash) return known;
    const entry = {
      id,
      title,
      order,
      contentHash,
      version: (known?.version ?? 0) + 1,
      updatedAt: database.now(),
    };
    const values = {
      title,
      position: order,
      text,
      content_hash: contentHash,
      version: entry.version,
      updated_at: entry.updatedAt,
    };
    await db
      .insertInto('documents')
      .values({ project, id, ...values })
      .onConflict((conflict) => conflict.columns(['project', 'id']).doUpdateSet(values))
      .execute();
    return entry;
  });
}

function changed(): GalleyError {
  return new GalleyError(
    'CHANGED_MEANWHILE',
    'The document was changed meanwhile; read it again and repeat the change.',
    { details: { kind: 'document' } },
  );
}

export function documentsIn(database: Database): Documents {
  const find = (project: string, id: string): Promise<StoredDocument | undefined> =>
    database.read((db) =>
      db
        .selectFrom('documents')
        .select([...entryColumns, 'text'])
        .where('project', '=', project)
        .where('id', '=', id)
        .executeTakeFirst(),
    );
  return {
    put: (project, draft) => put(database, project, draft),
    find,
    async get(project, id) {
      const document = await find(project, id);
      if (document === undefined) throw notFound('document');
      return document;
    },
    list: (project) =>
      database.remember('documents', project, (db) =>
        db
          .selectFrom('documents')
          .select(entryColumns)
          .where('project', '=', project)
          .orderBy('position')
          .orderBy('id')
          .execute(),
      ),
    async delete(project, id) {
      await database.write(undefined, async (db) => {
        await removeOne(db, { table: 'documents', kind: 'document' }, { project, id });
        await database.forgetChunks(db, project, id);
      });
    },
  };
}
