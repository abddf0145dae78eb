// What is remembered. A caller's memory counts at once; what the system learned waits for confirmation.
import type { Kysely } from 'kysely';
import { alreadyExists, checkedFraction, checkedName, notFound, removeOne } from './checked.js';
import type { Database, MemoryTable, Schema } from './schema.js';

type MemoryKind = 'semantic' | 'episodic' | 'working';

export interface MemoryItem {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly text: string;
  /** 0..1. */
  readonly confidence: number;
  readonly confirmed: boolean;
  readonly origin: 'caller' | 'learned';
  readonly createdAt: number;
}

interface MemoryDraft {
  readonly id?: string;
  readonly kind: MemoryKind;
  readonly text: string;
  /** 1 from a caller, 0.5 learned, unless told. */
  readonly confidence?: number;
}

interface MemoryFilter {
  readonly kind?: MemoryKind;
  readonly confirmed?: boolean;
  readonly origin?: 'caller' | 'learned';
}

export interface Memory {
  /** With a known id: replaces its kind, text and confidence, and confirms it. */
  put(project: string, draft: MemoryDraft): Promise<MemoryItem>;
  /** A taken id is ALREADY_EXISTS: learning never overwrites. */
  learn(project: string, draft: MemoryDraft): Promise<MemoryItem>;
  confirm(project: string, id: string): Promise<MemoryItem>;
  get(project: string, id: string): Promise<MemoryItem>;
  /** In order of creation. */
  list(project: string, filter?: MemoryFilter): Promise<readonly MemoryItem[]>;
  delete(project: string, id: string): Promise<void>;
}

const columns = ['id', 'kind', 'text', 'confidence', 'confirmed', 'origin', 'created_at'] as const;

type Row = Pick<MemoryTable, (typeof columns)[number]>;

function toItem({ created_at, ...row }: Row): MemoryItem {
  return {
    ...row,
    kind: row.kind as MemoryKind,
    confirmed: row.confirmed === 1,
    origin: row.origin as MemoryItem['origin'],
    createdAt: created_at,
  };
}

const ofProject = (db: Kysely<Schema>, project: string) =>
  db.selectFrom('memories').select(columns).where('project', '=', project);

function toRow(database: Database, draft: MemoryDraft, origin: MemoryItem['origin']): Row {
  return {
    id: checkedName('id', draft.id ?? database.newId()),
    kind: draft.kind,
    text: checkedName('text', draft.text),
    confidence: checkedFraction('confidence', draft.confidence ?? (origin === 'caller' ? 1 : 0.5)),
    confirmed: Number(origin === 'caller'),
    origin,
    created_at: database.now(),
  };
}

export function memoryIn(database: Database): Memory {
  return {
    async put(project, draft) {
      const fresh = toRow(database, draft, 'caller');
      return database.write(project, async (db) => {
        const known = await ofProject(db, project).where('id', '=', fresh.id).executeTakeFirst();
        const row =
          known === undefined ? fresh : { ...fresh, origin: known.origin, created_at: known.created_at };
        await db
          .insertInto('memories')
          .values({ project, ...row })
          .onConflict((conflict) => conflict.columns(['project', 'id']).doUpdateSet(row))
          .execute();
        return toItem(row);
      });
    },
    async learn(project, draft) {
      const row = toRow(database, draft, 'learned');
      return database.write(project, async (db) => {
        const known = await ofProject(db, project).where('id', '=', row.id).executeTakeFirst();
        if (known !== undefined) throw alreadyExists('memory', 'id');
        await db
          .insertInto('memories')
          .values({ project, ...row })
          .execute();
        return toItem(row);
      });
    },
    async confirm(project, id) {
      return database.write(undefined, async (db) => {
        const row = await db
          .updateTable('memories')
          .set({ confirmed: 1 })
          .where('project', '=', project)
          .where('id', '=', id)
          .returning(columns)
          .executeTakeFirst();
        if (row === undefined) throw notFound('memory');
        return toItem(row);
      });
    },
    async get(project, id) {
      const row = await database.read((db) => ofProject(db, project).where('id', '=', id).executeTakeFirst());
      if (row === undefined) throw notFound('memory');
      return toItem(row);
    },
    list: (project, { kind, confirmed, origin } = {}) =>
      database.remember(`memories ${kind} ${confirmed} ${origin}`, project, async (db) => {
        let query = ofProject(db, project);
        if (kind !== undefined) query = query.where('kind', '=', kind);
        if (confirmed !== undefined) query = query.where('confirmed', '=', Number(confirmed));
        if (origin !== undefined) query = query.where('origin', '=', origin);
        const rows = await query.orderBy('sequence').execute();
        return rows.map(toItem);
      }),
    async delete(project, id) {
      await database.write(undefined, (db) =>
        removeOne(db, { table: 'memories', kind: 'memory' }, { project, id }),
      );
    },
  };
}
