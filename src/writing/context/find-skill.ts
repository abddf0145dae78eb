// Which skill is meant: the project's own, else the one that comes with Galley, else none.
import type { Warning } from '../../core/model/warning.js';
import { builtInSkills } from '../../skills/built-in/built-in-skills.js';
import { parseSkill } from '../../skills/parse-skill.js';
import type { PromptLanguage } from '../../skills/prompt-language.js';
import type { Skill } from '../../skills/skill.js';
import type { Store } from '../../store/store.js';

export interface FoundSkill {
  readonly skill?: Skill;
  /** The chapter around the cursor is read, not just some code points on each side. */
  readonly readsChapter: boolean;
  readonly warning?: Warning;
}

const chapterSkill = 'continue';

export interface WantedSkill {
  readonly projectId: string;
  readonly skillId: string;
  readonly language: PromptLanguage;
}

export async function findSkill(
  store: Store,
  { projectId, skillId, language }: WantedSkill,
): Promise<FoundSkill> {
  if (skillId === '') return { readsChapter: true };
  let warning: Warning | undefined;
  try {
    const stored = await store.skills.find(skillId, projectId);
    if (stored !== undefined) return { skill: parseSkill(stored.source), readsChapter: false };
  } catch {
    warning = { code: 'SKILL_UNAVAILABLE', message: 'SKILL_UNAVAILABLE: 项目技能无法读取' };
  }
  const builtIn = builtInSkills(language).find(({ id }) => id === skillId);
  if (builtIn === undefined) {
    const unknown = { code: 'SKILL_UNKNOWN', message: 'SKILL_UNKNOWN: 未找到该技能，按通用模式组装' };
    return { readsChapter: true, warning: warning ?? unknown };
  }
  return {
    skill: builtIn,
    readsChapter: skillId === chapterSkill,
    ...(warning === undefined ? {} : { warning }),
  };
}
