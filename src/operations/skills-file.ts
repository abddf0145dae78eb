// The skill file of a request: by path below the working folder, or as its text. A file with an error is refused by field.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { lintSkill, type SkillIssue } from '../skills/lint-skill.js';
import { parseSkill } from '../skills/parse-skill.js';
import type { Skill } from '../skills/skill.js';
import { contextRulesJson } from '../skills/skill.js';
import { maxSkillBytes, readSkillText } from '../skills/skill-limits.js';
import { refuseSkillErrors } from '../writing/context/find-skill.js';
import { readWithin } from '../writing/folder/read-within.js';
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
  const bytes = path === undefined ? (source ?? '') : await readFileOf(folder, path);
  const options = path === undefined ? {} : { path: path.replaceAll('\\', '/') };
  const skill = parseSkill(bytes, options);
  const issues = lintSkill(bytes, options);
  refuseSkillErrors(issues);
  return { skill, source: readSkillText(bytes).text, advice: issues };
}

/** What the caller wrote does not come back in a message: the field is named instead. */
async function readFileOf(folder: string, path: string): Promise<Uint8Array> {
  try {
    return await readWithin(folder, path, { mostBytes: maxSkillBytes });
  } catch (error) {
    if (!(error instanceof GalleyError)) throw error;
    const { code, message } = error;
    const named = [`${path} `, `path: ${path} `].find((start) => message.startsWith(start));
    if (named === undefined) throw error;
    throw new GalleyError(code, `path: ${message.slice(named.length)}`, {
      details: { field: 'path' },
      cause: error,
    });
  }
}

export function skillFacts({ id, name, description, contextRules, recipe, budgetTokens }: Skill) {
  return {
    id,
    name,
    description,
    contextRules,
    contextRulesJson: contextRulesJson(contextRules),
    recipe,
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  };
}
