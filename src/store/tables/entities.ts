// People, places and things of a project, and what is known about them when.
import type { Kysely } from 'kysely';
import { alreadyExists, checkedJson, checkedName, checkedText, notFound, removeOne } from './checked.js';
import type { Database, EntityTable, Schema } from './schema.js';

export type Inclusion = 'always' | 'detected' | 'manual' | 'never';

export interface Fact {
  readonly text: string;
  /** First chapter in which it holds. */
  readonly from?: number;
  /** Last chapter in which it holds. */
  readonly until?: number;
}

export interface Secret {
  readonly text: string;
  /** Hidden in every chapter before this one. */
  readonly hiddenUntil: number;
}

export interface Relation {
  readonly to: string;
  readonly label: string;
}

export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly kind: string;
  readonly description: string;
  readonly inclusion: Inclusion;
  readonly neverTrimmed: boolean;
  readonly facts: readonly Fact[];
  readonly secrets: readonly Secret[];
  readonly relations: readonly Relation[];
  /** Fields whose stored form could not be read; they are empty here. */
  readonly damaged?: readonly string[];
  readonly version: number;
  readonly updatedAt: number;
}

export interface EntityDraft {
  /** Left out: the entity of that name, or a new one. */
  readonly id?: string;
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[];
  readonly kind?: string;
  /** 'always' unless told. */
  readonly inclusion?: Inclusion;
  readonly neverTrimmed?: boolean;
  readonly facts?: readonly Fact[];
  readonly secrets?: readonly Secret[];
  readonly relations?: readonly Relation[];
}

export interface Entities {
  /** Replaces the whole entity; a name that belongs to another id is ALREADY_EXISTS. */
  put(project: string, draft: EntityDraft): Promise<Entity>;
  get(project: string, id: string): Promise<Entity>;
  findByName(project: string, name: string): Promise<Entity | undefined>;
  /** By name. */
  list(project: string): Promise<readonly Entity[]>;
  delete(project: string, id: string): Promise<void>;
}

const columns = [
  'id',
  'name',
  'aliases',
  'kind',
  'description',
  'inclusion',
  'never_trimmed',
  'facts',
  'secrets',
  'relations',
  'version',
  'updated_at',
] as const;

const isText = (value: unknown) => typeof value === 'string';
const isChapter = (value: unknown) => value === undefined || typeof value === 'number';

/** What an element of each list must be; a row may have been written by others. */
const elements = {
  aliases: isText,
  facts: (fact: Record<string, unknown>) =>
    isText(fact.text) && isChapter(fact.from) && isChapter(fact.until),
  secrets: (secret: Record<string, unknown>) => isText(secret.text) && typeof secret.hiddenUntil === 'number',
  relations: (relation: Record<string, unknown>) => isText(relation.to) && isText(relation.label),
} as const;

function toEntity(row: Omit<EntityTable, 'project'>): Entity {
  const damaged: string[] = [];
  const listOf = (field: keyof typeof elements) => {
    const list = readList(row[field], elements[field] as (element: unknown) => boolean);
    if (list === undefined) damaged.push(field);
    return list ?? [];
  };
  return {
    id: row.id,
    name: row.name,
    aliases: listOf('aliases') as Entity['aliases'],
    kind: row.kind,
    description: row.description,
    inclusion: row.inclusion as Inclusion,
    neverTrimmed: row.never_trimmed === 1,
    facts: listOf('facts') as Entity['facts'],
    secrets: listOf('secrets') as Entity['secrets'],
    relations: listOf('relations') as Entity['relations'],
    ...(damaged.length === 0 ? {} : { damaged }),
    version: row.version,
    updatedAt: row.updated_at,
  };
}

function readList(json: string, isSound: (element: unknown) => boolean): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(json);
    const sound =
      Array.isArray(list) &&
      list.every((element) => element !== null && element !== undefined && isSound(element));
    return sound ? list : undefined;
  } catch {
    return undefined;
  }
}

const ofProject = (db: Kysely<Schema>, project: string) =>
  db.selectFrom('entities').select(columns).where('project', '=', project);

function toValues(draft: EntityDraft): Omit<EntityTable, 'project' | 'id' | 'version' | 'updated_at'> {
  return {
    name: checkedName('name', draft.name),
    aliases: checkedJson('aliases', draft.aliases ?? []),
    kind: checkedText('kind', draft.kind ?? ''),
    description: checkedText('description', draft.description),
    inclusion: draft.inclusion ?? 'always',
    never_trimmed: Number(draft.neverTrimmed ?? false),
    facts: checkedJson('facts', draft.facts ?? []),
    secrets: checkedJson('secrets', draft.secrets ?? []),
    relations: checkedJson('relations', draft.relations ?? []),
  };
}

async function put(database: Database, project: string, draft: EntityDraft): Promise<Entity> {
  const content = toValues(draft);
  if (draft.id !== undefined) checkedName('id', draft.id);
  return database.write(project, async (db) => {
    const named = await ofProject(db, project).where('name', '=', draft.name).executeTakeFirst();
    if (named !== undefined && draft.id !== undefined && named.id !== draft.id)
      throw alreadyExists('entity', 'name');
    const id = draft.id ?? named?.id ?? database.newId();
    const known = named ?? (await ofProject(db, project).where('id', '=', id).executeTakeFirst());
    const values = { ...content, version: (known?.version ?? 0) + 1, updated_at: database.now() };
    await db
      .insertInto('entities')
      .values({ project, id, ...values })
      .onConflict((conflict) => conflict.columns(['project', 'id']).doUpdateSet(values))
      .execute();
    return toEntity({ id, ...values });
  });
}

export function entitiesIn(database: Database): Entities {
  return {
    put: (project, draft) => put(database, project, draft),
    async get(project, id) {
      const row = await database.read((db) => ofProject(db, project).where('id', '=', id).executeTakeFirst());
      if (row === undefined) throw notFound('entity');
      return toEntity(row);
    },
    async findByName(project, name) {
      const row = await database.read((db) =>
        ofProject(db, project).where('name', '=', name).executeTakeFirst(),
      );
      return row === undefined ? undefined : toEntity(row);
    },
    list: (project) =>
      database.remember('entities', project, async (db) => {
        const rows = await ofProject(db, project).orderBy('name').execute();
        return rows.map(toEntity);
      }),
    async delete(project, id) {
      await database.write(undefined, (db) =>
        removeOne(db, { table: 'entities', kind: 'entity' }, { project, id }),
      );
    },
  };
}
