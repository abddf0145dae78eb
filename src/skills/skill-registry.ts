// Which skill answers to an id? The project's own before the user's before the built-in ones.
import { byCodePoint } from '../core/model/code-points.js';
import { GalleyError, type Warning } from '../core/model/error.js';
import type { Skill } from './skill.js';

export type SkillOrigin = 'project' | 'user' | 'built-in';

export interface RegisteredSkill {
  readonly skill: Skill;
  readonly origin: SkillOrigin;
}

export interface SkillRegistry {
  find(id: string): RegisteredSkill | undefined;
  get(id: string): RegisteredSkill;
  /** By id, one each: what `find` would give. */
  list(): readonly RegisteredSkill[];
  readonly warnings: readonly Warning[];
}

export interface SkillSets {
  readonly project?: readonly Skill[];
  readonly user?: readonly Skill[];
  readonly builtIn?: readonly Skill[];
}

export function createSkillRegistry(sets: SkillSets): SkillRegistry {
  const byId = new Map<string, RegisteredSkill>();
  const warnings: Warning[] = [];
  const ranked: readonly [SkillOrigin, readonly Skill[]][] = [
    ['project', sets.project ?? []],
    ['user', sets.user ?? []],
    ['built-in', sets.builtIn ?? []],
  ];
  for (const [origin, skills] of ranked) {
    for (const skill of skills) {
      const earlier = byId.get(skill.id);
      if (earlier === undefined) byId.set(skill.id, { skill, origin });
      // Overriding another origin is the point of precedence; two of one origin are a mistake.
      else if (earlier.origin === origin) warnings.push(twice(skill, origin));
    }
  }
  const list = [...byId.values()].sort((left, right) => byCodePoint(left.skill.id, right.skill.id));
  return {
    find: (id) => byId.get(id),
    get: (id) => {
      const found = byId.get(id);
      if (found !== undefined) return found;
      throw new GalleyError(
        'NOT_FOUND',
        'skillId: no such skill; skills:list names the skills of this project.',
        {
          details: { field: 'skillId' },
        },
      );
    },
    list: () => list,
    warnings,
  };
}

function twice(skill: Skill, origin: SkillOrigin): Warning {
  return {
    code: 'SKILL_SHADOWED',
    message: `SKILL_SHADOWED: two ${origin} skills have the id ${skill.id}; the first one is used`,
    details: { id: skill.id, origin, ...(skill.path === undefined ? {} : { path: skill.path }) },
  };
}
