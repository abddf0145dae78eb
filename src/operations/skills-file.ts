// The skill file of a request: by path below the working folder, or as its text. A file with an error is refused by field.
import { z } from 'zod';
import { textField } from '../core/model/input.js';
import { contextRulesJson } from '../skills/context-rules.js';
import { lintSkill, type SkillIssue } from '../skills/lint-skill.js';
import { parseSkill } from '../skills/parse-skill.js';
import type { Skill } from '../skills/skill.js';
import { maxSkillBytes, readSkillText } from '../skills/skill-source.js';
import { readWithin } from '../writing/folder/read-within.js';
import { refuseSkillErrors } from '../writing/skill-run/find-skills.js';
import type { OperationContext } from './operation.js';
import { nameField } from './writing-fields.js';

export const skillFileRequest = z
  .strictObject({
    projectId: nameField.optional(),
    path: textField(4096).optional(),
    source: textField(1024 * 1024).optional(),
  })
  .refine(({ path, source }) => (path === undefined) !== (source === undefined), {
    error: 'give either path or source',
    path: ['path'],
  });

export interface CheckedSkillFile {
  readonly skill: Skill;
  readonly source: string;
  readonly advice: readonly SkillIssue[];
}

export async function readSkillFile(
  { path, source }: z.output<typeof skillFileRequest>,
  { folder }: Pick<OperationContext, 'folder'>,
): Promise<CheckedSkillFile> {
  const bytes =
    path === undefined ? (source ?? '') : await readWithin(folder, path, { mostBytes: maxSkillBytes });
  const options = path === undefined ? {} : { path: path.replaceAll('\\', '/') };
  const skill = parseSkill(bytes, options);
  const issues = lintSkill(bytes, options);
  refuseSkillErrors(issues);
  return { skill, source: readSkillText(bytes).text, advice: issues };
}

export function skillFacts({ id, name, description, contextRules, budgetTokens }: Skill) {
  return {
    id,
    name,
    description,
    contextRules,
    contextRulesJson: contextRulesJson(contextRules),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  };
}
