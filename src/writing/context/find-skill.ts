// Which skill is meant: a file of the project's folder, else what was put for the project or for everyone, else the one that comes
// with Galley, else none. A file or row that does not read as a skill costs a warning and only itself.
import { LRUCache } from 'lru-cache';
import type { Warning } from '../../core/model/error.js';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { builtInSkills } from '../../skills/built-in/built-in-skills.js';
import { loadSkillFolder } from '../../skills/load-skill-folder.js';
import { parseSkill } from '../../skills/parse-skill.js';
import type { PromptLanguage, Skill } from '../../skills/skill.js';
import { createSkillRegistry, type SkillOrigin, type SkillRegistry } from '../../skills/skill-registry.js';
import type { Store } from '../../store/store.js';
import type { StoredSkill } from '../../store/tables/skills.js';

export interface FoundSkill {
  readonly skill?: Skill;
  readonly origin?: SkillOrigin;
  readonly warning?: Warning;
}

interface AskedSkill {
  readonly projectId: string;
  readonly skillId: string;
  readonly language: PromptLanguage;
}

const parsed = new LRUCache<string, Skill>({ max: 100 });

export async function findSkill(
  store: Store,
  { projectId, skillId, language }: AskedSkill,
  folder?: string,
): Promise<FoundSkill> {
  if (skillId === '') return {};
  if (folder !== undefined) {
    const { skills } = await loadSkillFolder(folder);
    const own = skills.find(({ id }) => id === skillId);
    if (own !== undefined) return { skill: own, origin: 'project' };
  }
  let warning: Warning | undefined;
  try {
    const stored = await store.skills.find(skillId, projectId);
    if (stored !== undefined) {
      const skill = parsed.get(stored.source) ?? parseSkill(stored.source);
      parsed.set(stored.source, skill);
      const origin = stored.projectId === undefined ? 'user' : 'project';
      return { skill: { ...skill, id: stored.id }, origin };
    }
  } catch {
    warning = { code: 'SKILL_UNAVAILABLE', message: 'SKILL_UNAVAILABLE: 项目技能无法读取' };
  }
  const skill = builtInSkills(language).find(({ id }) => id === skillId);
  if (skill !== undefined)
    return { skill, origin: 'built-in', ...(warning === undefined ? {} : { warning }) };
  const unknown = { code: 'SKILL_UNKNOWN', message: 'SKILL_UNKNOWN: 未找到该技能，按通用模式组装' };
  return { warning: warning ?? unknown };
}

// Which skills does a project have? Files of its folder first, then what was put for it, then what was put for everyone, then
// the built-in ones. A stored skill that no longer reads as one costs a warning and only itself.
interface SkillPlaces {
  readonly store: Store;
  readonly project?: string | undefined;
  /** Absolute; left out when the folder at hand belongs to another project. */
  readonly folder?: string | undefined;
  /** Of the built-in ones. */
  readonly language?: PromptLanguage;
}

export async function findSkills({ store, project, folder, language }: SkillPlaces): Promise<SkillRegistry> {
  const loaded = folder === undefined ? { skills: [], warnings: [] } : await loadSkillFolder(folder);
  const notes: Warning[] = [];
  const stored = await store.skills.list(project);
  const inFolder = new Set(loaded.skills.map(({ id }) => id));
  const read = (rows: readonly StoredSkill[]) => rows.flatMap((row) => revived(row, notes));
  const own = read(stored.filter(({ id, projectId }) => projectId !== undefined && !inFolder.has(id)));
  const shared = read(stored.filter(({ projectId }) => projectId === undefined));
  const registry = createSkillRegistry({
    project: [...loaded.skills, ...own],
    user: shared,
    builtIn: builtInSkills(language),
  });
  return { ...registry, warnings: [...loaded.warnings, ...notes, ...registry.warnings] };
}

function revived(row: StoredSkill, notes: Warning[]): Skill[] {
  try {
    return [{ ...parseSkill(row.source), id: row.id }];
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    notes.push({
      code: 'SKILL_INVALID',
      message: `SKILL_INVALID: the stored skill ${row.id} was not loaded: ${error.message}`,
      details: { id: row.id },
    });
    return [];
  }
}

/** Checks a file to the last placeholder; the first thing that would keep it from running is refused by name. */
export function refuseSkillErrors(
  issues: readonly { severity: string; field: string; message: string }[],
): void {
  const error = issues.find(({ severity }) => severity === 'error');
  if (error === undefined) return;
  const message = error.message.startsWith(error.field) ? error.message : `${error.field}: ${error.message}`;
  throw new GalleyError('INVALID_ARGUMENT', message, { details: { field: error.field } });
}
