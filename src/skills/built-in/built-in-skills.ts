// The skills that come with Galley, read by the same parser as everyone else's. Only their words differ between languages: ids,
// budgets and context rules are one.
import { parseSkill } from '../parse-skill.js';
import type { PromptLanguage, Skill } from '../skill.js';
import { enSources } from './en.js';
import { zhSources } from './zh.js';

export const builtInSources = {
  zh: zhSources,
  en: enSources,
} as const satisfies Record<PromptLanguage, Record<keyof typeof zhSources, string>>;

const parsed = new Map<PromptLanguage, readonly Skill[]>();

export function builtInSkills(language: PromptLanguage = 'zh'): readonly Skill[] {
  const known = parsed.get(language);
  if (known !== undefined) return known;
  const skills = Object.entries(builtInSources[language]).map(([id, source]) => {
    const { path: _path, ...skill } = parseSkill(source, { path: `${id}/SKILL.md` });
    return skill;
  });
  parsed.set(language, skills);
  return skills;
}
