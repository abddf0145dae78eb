// What was run. Metadata holds no text; the compact summaries of runs are project data and stand apart.
import {
  alreadyExists,
  checkedInteger,
  checkedJson,
  checkedLimit,
  checkedName,
  notFound,
  removeOne,
} from './checked.js';
import type { Database, RunTable, SummaryTable } from './schema.js';

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'timeout';

export interface StoredRun {
  readonly id: string;
  readonly operation: string;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly skillId?: string;
  readonly documentId?: string;
  readonly model?: string;
  /** JSON: hashes, refs, tokens, timings; never text. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

type RunDraft = Omit<StoredRun, 'id' | 'startedAt' | 'metadata'> &
  Partial<Pick<StoredRun, 'id' | 'startedAt' | 'metadata'>>;

interface RunQuery {
  readonly limit?: number;
  readonly documentId?: string;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface Runs {
  /** Inserts, or replaces the run of that id (its start stays). */
  put(project: string, draft: RunDraft): Promise<StoredRun>;
  get(project: string, id: string): Promise<StoredRun>;
  /** Newest first, 50 unless told; begun since a moment and before another. */
  list(project: string, options?: RunQuery): Promise<readonly StoredRun[]>;
}

export interface Summary {
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
  readonly runId?: string;
  readonly skillId?: string;
  readonly documentId?: string;
}

export interface Summaries {
  /** Made now, unless told when. */
  add(
    project: string,
    draft: Omit<Summary, 'id' | 'createdAt'> & { id?: string; createdAt?: number },
  ): Promise<Summary>;
  /** Newest first. */
  recent(project: string, limit: number, documentId?: string): Promise<readonly Summary[]>;
  delete(project: string, id: string): Promise<void>;
}

type Row = Omit<RunTable, 'sequence' | 'project'>;

const columns = [
  'id',
  'operation',
  'status',
  'started_at',
  'ended_at',
  'skill',
  'document',
  'model',
  'metadata',
] as const;

function toRun(row: Row): StoredRun {
  return {
    id: row.id,
    operation: row.operation,
    status: row.status as RunStatus,
    startedAt: row.started_at,
    metadata: JSON.parse(row.metadata),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.skill === null ? {} : { skillId: row.skill }),
    ...(row.document === null ? {} : { documentId: row.document }),
    ...(row.model === null ? {} : { model: row.model }),
  };
}

function toRow(database: Database, draft: RunDraft): Row {
  return {
    id: checkedName('id', draft.id ?? database.newId()),
    operation: checkedName('operation', draft.operation),
    status: draft.status,
    started_at: checkedInteger('startedAt', draft.startedAt ?? database.now()),
    ended_at: draft.endedAt === undefined ? null : checkedInteger('endedAt', draft.endedAt),
    skill: draft.skillId ?? null,
    document: draft.documentId ?? null,
    model: draft.model ?? null,
    metadata: checkedJson('metadata', draft.metadata ?? {}),
  };
}

export function runsIn(database: Database): Runs {
  return {
    async put(project, draft) {
      const { started_at, ...values } = toRow(database, draft);
      return database.writeAside(project, async (db) => {
        const row = await db
          .insertInto('runs')
          .values({ project, started_at, ...values })
          .onConflict((conflict) => conflict.columns(['project', 'id']).doUpdateSet(values))
          .returning(columns)
          .executeTakeFirstOrThrow();
        return toRun(row);
      });
    },
    async get(project, id) {
      const row = await database.read((db) =>
        db
          .selectFrom('runs')
          .select(columns)
          .where('project', '=', project)
          .where('id', '=', id)
          .executeTakeFirst(),
      );
      if (row === undefined) throw notFound('run');
      return toRun(row);
    },
    async list(project, { limit = 50, documentId, since, until } = {}) {
      const rows = await database.read((db) => {
        let query = db.selectFrom('runs').select(columns).where('project', '=', project);
        if (documentId !== undefined) query = query.where('document', '=', documentId);
        if (since !== undefined) query = query.where('started_at', '>=', since);
        if (until !== undefined) query = query.where('started_at', '<', until);
        return query.orderBy('sequence', 'desc').limit(checkedLimit(limit)).execute();
      });
      return rows.map(toRun);
    },
  };
}

const summaryColumns = ['id', 'text', 'created_at', 'run', 'skill', 'document'] as const;

type SummaryRow = Pick<SummaryTable, (typeof summaryColumns)[number]>;

function toSummary(row: SummaryRow): Summary {
  return {
    id: row.id,
    text: row.text,
    createdAt: row.created_at,
    ...(row.run === null ? {} : { runId: row.run }),
    ...(row.skill === null ? {} : { skillId: row.skill }),
    ...(row.document === null ? {} : { documentId: row.document }),
  };
}

export function summariesIn(database: Database): Summaries {
  return {
    async add(project, draft) {
      const row: SummaryRow = {
        id: checkedName('id', draft.id ?? database.newId()),
        text: checkedName('text', draft.text),
        created_at: draft.createdAt ?? database.now(),
        run: draft.runId ?? null,
        skill: draft.skillId ?? null,
        document: draft.documentId ?? null,
      };
      return database.write(project, async (db) => {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('summaries')
          .values({ project, ...row })
          .onConflict((conflict) => conflict.columns(['project', 'id']).doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) throw alreadyExists('summary', 'id');
        return toSummary(row);
      });
    },
    recent: (project, limit, documentId) =>
      database.remember(`summaries ${JSON.stringify([limit, documentId])}`, project, async (db) => {
        let query = db.selectFrom('summaries').select(summaryColumns).where('project', '=', project);
        if (documentId !== undefined) query = query.where('document', '=', documentId);
        const rows = await query.orderBy('sequence', 'desc').limit(checkedLimit(limit)).execute();
        return rows.map(toSummary);
      }),
    async delete(project, id) {
      await database.write(undefined, (db) =>
        removeOne(db, { table: 'summaries', kind: 'summary' }, { project, id }),
      );
    },
  };
}
