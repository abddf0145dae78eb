// Skill files as they were put, with their rules in canonical JSON. A skill without a project serves all of them.
import { checkedName, checkedText, notFound, removeOne } from './checked.js';
import type { Database, SkillTable } from './schema.js';

export interface StoredSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: string;
  /** Canonical JSON. */
  readonly contextRules: string;
  readonly projectId?: string;
  readonly updatedAt: number;
}

export interface StoredSkills {
  put(skill: Omit<StoredSkill, 'updatedAt'>): Promise<StoredSkill>;
  /** The project's own skill, else the global one; without a project only the global one. */
  get(id: string, project?: string): Promise<StoredSkill>;
  find(id: string, project?: string): Promise<StoredSkill | undefined>;
  /** By id; a project's own skill stands in for the global one of that id. */
  list(project?: string): Promise<readonly StoredSkill[]>;
  /** Exactly the project's own, or without a project the global one. */
  delete(id: string, project?: string): Promise<void>;
}

const everyone = '';

const columns = ['owner', 'id', 'name', 'description', 'source', 'context_rules', 'updated_at'] as const;

function toSkill(row: SkillTable): StoredSkill {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    source: row.source,
    contextRules: row.context_rules,
    updatedAt: row.updated_at,
    ...(row.owner === everyone ? {} : { projectId: row.owner }),
  };
}

export function skillsIn(database: Database): StoredSkills {
  const find = async (id: string, project = everyone): Promise<StoredSkill | undefined> => {
    const row = await database.read((db) =>
      db
        .selectFrom('skills')
        .select(columns)
        .where('owner', 'in', [everyone, project])
        .where('id', '=', id)
        .orderBy('owner', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : toSkill(row);
  };
  return {
    find,
    async get(id, project) {
      const skill = await find(id, project);
      if (skill === undefined) throw notFound('skill');
      return skill;
    },
    async put(skill) {
      const owner = skill.projectId === undefined ? everyone : checkedName('projectId', skill.projectId);
      const values = {
        name: checkedName('name', skill.name),
        description: checkedText('description', skill.description),
        source: checkedText('source', skill.source),
        context_rules: checkedText('contextRules', skill.contextRules),
        updated_at: database.now(),
      };
      const row = { owner, id: checkedName('id', skill.id), ...values };
      await database.write(skill.projectId, (db) =>
        db
          .insertInto('skills')
          .values(row)
          .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(values))
          .execute(),
      );
      return toSkill(row);
    },
    async list(project = everyone) {
      const rows = await database.read((db) =>
        db
          .selectFrom('skills')
          .select(columns)
          .where('owner', 'in', [everyone, project])
          .orderBy('id')
          .orderBy('owner')
          .execute(),
      );
      return [...new Map(rows.map((row) => [row.id, toSkill(row)])).values()];
    },
    async delete(id, project = everyone) {
      await database.write(undefined, (db) =>
        removeOne(db, { table: 'skills', kind: 'skill' }, { owner: project, id }),
      );
    },
  };
}
