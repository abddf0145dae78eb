// Which skill is meant: a file of the project's folder, else what was put for the project or for everyone, else the one that comes
// with Galley, else none. A file or row that does not read as a skill costs a warning and only itself.
import { LRUCache } from 'lru-cache';
import type { Warning } from '../../core/model/error.js';
import { builtInSkills } from '../../skills/built-in/built-in-skills.js';
import { loadSkillFolder } from '../../skills/load-skill-folder.js';
import { parseSkill } from '../../skills/parse-skill.js';
import type { PromptLanguage, Skill } from '../../skills/skill.js';
import type { SkillOrigin } from '../../skills/skill-registry.js';
import type { Store } from '../../store/store.js';

export interface FoundSkill {
  readonly skill?: Skill;
  readonly origin?: SkillOrigin;
  readonly warning?: Warning;
}

export interface AskedSkill {
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
