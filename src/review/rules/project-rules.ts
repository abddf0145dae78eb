// Rules a project adds in its configuration file, checked like everything that comes from outside.
import { GalleyError } from '../../core/model/error.js';
import { type Rule, ruleListSchema } from './rule.js';

export function projectRules(value: unknown): Rule[] {
  const parsed = ruleListSchema.safeParse(value ?? []);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(issue?.path ?? [])].map(String);
  if (issue?.code === 'unrecognized_keys') path.push((issue.keys[0] ?? '').slice(0, 80));
  const field = ['rules', ...path].join('.');
  throw new GalleyError('CONFIG_INVALID', `${field}: is not valid; see the documented fields of a rule.`, {
    details: { field },
  });
}
