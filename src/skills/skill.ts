// What a skill is once its file has been read: who it is, what kind of work, what context it asks for, and what it says to the model.
import canonicalize from 'canonicalize';
import * as z from 'zod';
import { invalidField } from './skill-limits.js';

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

const count = z.int().min(0).default(0);
const flag = z.boolean().default(false);

/** Which context does a skill ask for? Seven fields, nothing else; always stored as the same bytes. */
export const contextRulesSchema = z.strictObject({
  /** Code points on each side of the selection. */
  surrounding: count,
  user_preferences: flag,
  style_guide: flag,
  characters: flag,
  outline: flag,
  /** How many summaries of recent runs. */
  recent_summary: count,
  knowledge_graph: flag,
});

export type ContextRules = Readonly<z.infer<typeof contextRulesSchema>>;

const expectations: Readonly<Record<keyof ContextRules, string>> = {
  surrounding: 'a whole number of 0 or more',
  user_preferences: 'true or false',
  style_guide: 'true or false',
  characters: 'true or false',
  outline: 'true or false',
  recent_summary: 'a whole number of 0 or more',
  knowledge_graph: 'true or false',
};

export const contextRuleFields = Object.keys(expectations) as readonly (keyof ContextRules)[];

export function readContextRules(value: unknown, field = 'context_rules'): ContextRules {
  const answer = contextRulesSchema.safeParse(value);
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    throw invalidField(
      `${field}.${issue.keys[0]}`,
      `unknown field; the fields are ${contextRuleFields.join(', ')}.`,
    );
  }
  const name = issue?.path[0];
  if (name === undefined) throw invalidField(field, 'must be a mapping of context fields.');
  throw invalidField(`${field}.${String(name)}`, `must be ${expectations[name as keyof ContextRules]}.`);
}

/** Every field, in one order, without blanks: equal rules are equal bytes. */
export function contextRulesJson(rules: ContextRules): string {
  return canonicalize(readContextRules(rules)) as string;
}

/** `rewrite` works on a text, `continue` goes on from the cursor, `check` reports on a text. */
export const skillRecipes = ['rewrite', 'continue', 'check'] as const;

type SkillRecipe = (typeof skillRecipes)[number];

/** From the front matter or, for strict public readers, from its `metadata`. */
export function readRecipe(value: unknown, nested: string | undefined): SkillRecipe {
  const own = value === undefined || value === null ? undefined : checked(value, 'recipe');
  const other = nested === undefined ? undefined : checked(nested, 'metadata.recipe');
  if (own !== undefined && other !== undefined && own !== other)
    throw invalidField('metadata.recipe', 'differs from `recipe`; keep one of the two.');
  return own ?? other ?? 'rewrite';
}

function checked(value: unknown, field: string): SkillRecipe {
  const found = skillRecipes.find((recipe) => recipe === value);
  if (found !== undefined) return found;
  throw invalidField(field, `must be ${skillRecipes.join(', ')}.`);
}

const languages = z.enum(['zh', 'en']);

export type PromptLanguage = z.infer<typeof languages>;

/**
 * In which language do headings, marks and built-in skills stand in a prompt? The writer's own words stay as they are.
 */
export const promptLanguage = languages
  .default('zh')
  .describe('of headings, marks and built-in skills; skills of your own stay as they are');
