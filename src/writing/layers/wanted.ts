// Which kinds of material a skill asks for. Without a known skill everything is asked for.
import type { ContextRules } from '../../skills/context-rules.js';
import type { Skill } from '../../skills/skill.js';

export interface Wanted {
  readonly entities: boolean;
  readonly relations: boolean;
  readonly preferences: boolean;
  readonly styleGuide: boolean;
  readonly outline: boolean;
  /** How many summaries of recent runs. */
  readonly summaries: number;
  /** Code points on each side of the selection; undefined reads the chapter around the cursor. */
  readonly surrounding: number | undefined;
}

const everything: Wanted = {
  entities: true,
  relations: true,
  preferences: true,
  styleGuide: true,
  outline: true,
  summaries: 3,
  surrounding: undefined,
};

export function wantedBy(skill: Pick<Skill, 'contextRules'> | undefined, readsChapter: boolean): Wanted {
  if (skill === undefined) return everything;
  const rules: ContextRules = skill.contextRules;
  return {
    entities: rules.characters,
    relations: rules.knowledge_graph,
    preferences: rules.user_preferences,
    styleGuide: rules.style_guide,
    outline: rules.outline,
    summaries: rules.recent_summary,
    surrounding: readsChapter ? undefined : rules.surrounding,
  };
}
