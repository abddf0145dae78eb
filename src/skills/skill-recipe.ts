// What kind of work is a skill? It decides what no field of the context rules can say: whether passages of the book, the story so
// far and the end of the chapter before are looked up, and whether the answer is prose or a report.
import { invalidField } from './invalid-field.js';

/** `rewrite` works on a text, `continue` goes on from the cursor, `check` reports on a text. */
export const skillRecipes = ['rewrite', 'continue', 'check'] as const;

export type SkillRecipe = (typeof skillRecipes)[number];

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
