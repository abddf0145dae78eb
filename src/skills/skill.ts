// What a skill is once its file has been read: who it is, what context it asks for, and what it says to the model.
import type { ContextRules } from './context-rules.js';
import type { SkillRecipe } from './skill-recipe.js';

/** `template`: the system text is a template; `plain`: it is the file's Markdown body, word for word. */
export type SkillForm = 'template' | 'plain';

/** What the model's answer is: `prose` is judged by the constraints of the project, a `report` only speaks about prose. */
export const skillOutputs = ['prose', 'report'] as const;
export type SkillOutput = (typeof skillOutputs)[number];

export interface SkillPrompt {
  readonly system: string;
  readonly user: string;
}

export interface Skill {
  readonly id: string;
  readonly name: string;
  /** Empty when a template file has none. */
  readonly description: string;
  readonly form: SkillForm;
  readonly contextRules: ContextRules;
  readonly recipe: SkillRecipe;
  readonly prompt: SkillPrompt;
  readonly body: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly output: SkillOutput;
  readonly budgetTokens?: number;
  /** Project-relative. */
  readonly path?: string;
}
