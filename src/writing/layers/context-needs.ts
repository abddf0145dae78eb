// What does a skill get beyond what is always there? Each field of its context rules opens its own source; its recipe brings what
// no field can say. Without a known skill everything is asked for.
import type { Skill } from '../../skills/skill.js';

export interface ContextNeeds {
  /** Whose cards: nobody's, of those named around the cursor, or of the project with those first. */
  readonly people: 'none' | 'scene' | 'project';
  readonly relations: boolean;
  readonly preferences: boolean;
  readonly styleGuide: boolean;
  /** `place` shows the entries of this chapter and the next. */
  readonly outline: 'none' | 'place' | 'whole';
  /** How many summaries of recent runs, and on which texts. */
  readonly summaries: number;
  readonly summariesOf: 'document' | 'project';
  /** Code points on each side of the selection; undefined reads the chapter around the cursor. */
  readonly surrounding: number | undefined;
  /** Passages of the book that tell something about the text at hand. */
  readonly retrieval: boolean;
  /** The story so far, and the end of the chapter before. */
  readonly story: boolean;
  /** Promises that are open at this point of the story; for whoever goes by the plan of the book. */
  readonly promises: boolean;
  /** Cases, working notes and settings that no field names. */
  readonly memory: boolean;
  /** What is worked on when nothing is selected. */
  readonly unselected: 'document' | 'cursor';
}

const everything: ContextNeeds = {
  people: 'project',
  relations: true,
  preferences: true,
  styleGuide: true,
  outline: 'whole',
  summaries: 3,
  summariesOf: 'document',
  surrounding: undefined,
  retrieval: true,
  story: true,
  promises: true,
  memory: true,
  unselected: 'cursor',
};

export function needsOf(skill: Pick<Skill, 'contextRules' | 'recipe'> | undefined): ContextNeeds {
  if (skill === undefined) return everything;
  const { contextRules: rules, recipe } = skill;
  const others = recipe === 'check' ? 'scene' : 'none';
  return {
    people: rules.characters ? 'project' : others,
    relations: rules.knowledge_graph,
    preferences: rules.user_preferences,
    styleGuide: rules.style_guide,
    outline: rules.outline ? 'place' : 'none',
    summaries: rules.recent_summary,
    summariesOf: recipe === 'rewrite' ? 'document' : 'project',
    surrounding: rules.surrounding,
    retrieval: recipe !== 'rewrite',
    story: recipe !== 'rewrite',
    promises: rules.outline,
    memory: recipe === 'continue',
    unselected: recipe === 'continue' ? 'cursor' : 'document',
  };
}
