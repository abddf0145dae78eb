// Rules a text must not break, at most 500 a project.
import type { Kysely } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { alreadyExists, checkedInteger, checkedName, notFound, removeOne } from './checked.js';
import type { ConstraintTable, Database, Schema } from './schema.js';

export const constraintLimit = 500;

export type ConstraintKind = 'narrative' | 'character' | 'world' | 'style' | 'plot';
export type ConstraintOrigin = 'user' | 'knowledge' | 'memory' | 'project';

export interface Constraint {
  readonly id: string;
  readonly kind: ConstraintKind;
  readonly origin: ConstraintOrigin;
  /** An integer; higher stands first. */
  readonly priority: number;
  readonly pinned: boolean;
  readonly text: string;
  readonly version: number;
}

interface ConstraintDraft {
  readonly id?: string;
  readonly kind: ConstraintKind;
  readonly text: string;
  /** 'user' unless told. */
  readonly origin?: ConstraintOrigin;
  /** 0 unless told. */
  readonly priority?: number;
  readonly pinned?: boolean;
}

type ConstraintChange = Partial<Omit<Constraint, 'id' | 'version'>>;

export interface Constraints {
  /** Canonical: priority from high to low, then in order of creation. */
  list(project: string): Promise<readonly Constraint[]>;
  get(project: string, id: string): Promise<Constraint>;
  count(project: string): Promise<number>;
  /** One more than the limit is refused with CONTEXT_LIMIT_EXCEEDED; a taken id with ALREADY_EXISTS. */
  create(project: string, draft: ConstraintDraft): Promise<Constraint>;
  update(project: string, id: string, change: ConstraintChange): Promise<Constraint>;
  delete(project: string, id: string): Promise<void>;
}

const columns = ['id', 'kind', 'origin', 'priority', 'pinned', 'text', 'version'] as const;

function toConstraint(row: Pick<ConstraintTable, (typeof columns)[number]>): Constraint {
  return {
    ...row,
    kind: row.kind as ConstraintKind,
    origin: row.origin as ConstraintOrigin,
    pinned: row.pinned === 1,
  };
}

const ofProject = (db: Kysely<Schema>, project: string) =>
  db.selectFrom('constraints').select(columns).where('project', '=', project);

async function countIn(db: Kysely<Schema>, project: string): Promise<number> {
  const row = await db
    .selectFrom('constraints')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('project', '=', project)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** For one more. */
export function checkRoom(count: number): void {
  if (count < constraintLimit) return;
  throw new GalleyError(
    'CONTEXT_LIMIT_EXCEEDED',
    `A project holds at most ${constraintLimit} constraints; delete one first.`,
    { details: { limit: constraintLimit, count } },
  );
}

async function create(database: Database, project: string, draft: ConstraintDraft): Promise<Constraint> {
  const constraint: Constraint = {
    id: checkedName('id', draft.id ?? database.newId()),
    kind: draft.kind,
    origin: draft.origin ?? 'user',
    priority: checkedInteger('priority', draft.priority ?? 0),
    pinned: draft.pinned ?? false,
    text: checkedName('text', draft.text),
    version: 1,
  };
  return database.write(project, async (db) => {
    const count = await countIn(db, project);
    checkRoom(count);
    const taken = await ofProject(db, project).where('id', '=', constraint.id).executeTakeFirst();
    if (taken !== undefined) throw alreadyExists('constraint', 'id');
    await db
      .insertInto('constraints')
      .values({ project, ...constraint, pinned: Number(constraint.pinned) })
      .execute();
    return constraint;
  });
}

async function update(
  database: Database,
  { project, id }: { project: string; id: string },
  change: ConstraintChange,
): Promise<Constraint> {
  if (change.text !== undefined) checkedName('text', change.text);
  if (change.priority !== undefined) checkedInteger('priority', change.priority);
  return database.write(undefined, async (db) => {
    const row = await ofProject(db, project).where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw notFound('constraint');
    const known = toConstraint(row);
    const next: Constraint = {
      id,
      kind: change.kind ?? known.kind,
      origin: change.origin ?? known.origin,
      priority: change.priority ?? known.priority,
      pinned: change.pinned ?? known.pinned,
      text: change.text ?? known.text,
      version: known.version + 1,
    };
    await db
      .updateTable('constraints')
      .set({ ...next, pinned: Number(next.pinned) })
      .where('project', '=', project)
      .where('id', '=', id)
      .execute();
    return next;
  });
}

export function constraintsIn(database: Database): Constraints {
  return {
    list: (project) =>
      database.remember('constraints', project, async (db) => {
        const rows = await ofProject(db, project).orderBy('priority', 'desc').orderBy('sequence').execute();
        return rows.map(toConstraint);
      }),
    async get(project, id) {
      const row = await database.read((db) => ofProject(db, project).where('id', '=', id).executeTakeFirst());
      if (row === undefined) throw notFound('constraint');
      return toConstraint(row);
    },
    count: (project) => database.read((db) => countIn(db, project)),
    create: (project, draft) => create(database, project, draft),
    update: (project, id, change) => update(database, { project, id }, change),
    async delete(project, id) {
      await database.write(undefined, (db) =>
        removeOne(db, { table: 'constraints', kind: 'constraint' }, { project, id }),
      );
    },
  };
}
