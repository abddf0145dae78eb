import type { Summaries, Summary } from '../runs.js';
import { alreadyExists, checkedLimit, checkedName } from './checked.js';
import type { Database } from './database.js';
import { removeOne } from './remove-one.js';
import type { SummaryTable } from './schema.js';

const columns = ['id', 'text', 'created_at', 'run', 'skill', 'document'] as const;

type Row = Pick<SummaryTable, (typeof columns)[number]>;

function toSummary(row: Row): Summary {
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
      const row: Row = {
        id: checkedName('id', draft.id ?? database.newId()),
        text: checkedName('text', draft.text),
        created_at: database.now(),
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
        let query = db.selectFrom('summaries').select(columns).where('project', '=', project);
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
