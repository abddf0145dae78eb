// Which context does a skill ask for? Seven fields, nothing else; always stored as the same bytes.
import canonicalize from 'canonicalize';
import * as z from 'zod';
import { invalidField } from './invalid-field.js';

const count = z.int().min(0).default(0);
const flag = z.boolean().default(false);

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
