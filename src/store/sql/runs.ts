import type { Run, RunDraft, RunStatus, Runs } from '../runs.js';
import { checkedInteger, checkedJson, checkedLimit, checkedName, notFound } from './checked.js';
import type { Database } from './database.js';
import type { RunTable } from './schema.js';

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

function toRun(row: Row): Run {
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
    async list(project, { limit = 50, documentId } = {}) {
      const rows = await database.read((db) => {
        let query = db.selectFrom('runs').select(columns).where('project', '=', project);
        if (documentId !== undefined) query = query.where('document', '=', documentId);
        return query.orderBy('sequence', 'desc').limit(checkedLimit(limit)).execute();
      });
      return rows.map(toRun);
    },
  };
}
