// The skills a project can run: its own files, what was put, and the built-in ones; and skill files, checked or taken in. A file that
// could not run is refused by field.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { lintSkill, type SkillIssue } from '../skills/lint-skill.js';
import { parseSkill } from '../skills/parse-skill.js';
import type { Skill } from '../skills/skill.js';
import { contextRulesJson, contextRulesSchema, skillRecipes } from '../skills/skill.js';
import { maxSkillBytes, readSkillText } from '../skills/skill-limits.js';
import type { RegisteredSkill } from '../skills/skill-registry.js';
import { findSkills, refuseSkillErrors } from '../writing/context/find-skill.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { readWithin } from '../writing/folder/read-within.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { projectStore } from './project-store.js';
import { count, inferred, named, timestamp } from './published-schema.js';
import { nameField } from './request-fields.js';
import { warnings } from './shared-answers.js';

const facts = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  contextRules: named('ContextRules', contextRulesSchema),
  contextRulesJson: z.string().describe('the rules in canonical form'),
  recipe: z.enum(skillRecipes).describe('what is looked up for it beyond the rules'),
  budgetTokens: count.optional(),
});

export const skillOrigin = z.enum(['project', 'user', 'built-in']);

const listed = facts.extend({
  origin: skillOrigin,
  path: z.string().optional().describe('within the folder of the project'),
});

const checked = facts.extend({
  issues: z.array(
    named(
      'SkillIssue',
      z.strictObject({ severity: z.enum(['error', 'advice']), field: z.string(), message: z.string() }),
    ),
  ),
});

const skillFileRequest = z
  .strictObject({
    projectId: nameField.optional(),
    path: textField(4096).optional(),
    source: textField(1024 * 1024).optional(),
  })
  .refine(({ path, source }) => (path === undefined) !== (source === undefined), {
    error: 'give either path or source',
    path: ['path'],
  });

const exampleSkill = '---\nname: Rhyme\ndescription: Makes it rhyme.\n---\nWrite in rhymes.\n';

export const skillsList = defineOperation({
  id: 'skills:list',
  summary: 'Lists the skills of a project: its own, those for everyone, and the built-in ones.',
  input: z.strictObject({ projectId: nameField.optional(), ...partFields }),
  inParts: true,
  example: {},
  output: inParts(inferred(z.strictObject({ skills: z.array(named('Skill', listed)), warnings }))),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => {
    const registry = await registryFor(projectId, context);
    return { skills: registry.list().map(entryOf), warnings: registry.warnings };
  },
});

export const skillsGet = defineOperation({
  id: 'skills:get',
  summary: 'Gives one skill with its context rules and templates.',
  input: z
    .strictObject({
      projectId: nameField.optional(),
      skillId: nameField.optional(),
      id: nameField.optional(),
    })
    .refine(({ skillId, id }) => (skillId === undefined) !== (id === undefined), {
      error: 'name the skill',
      path: ['skillId'],
    }),
  example: { skillId: 'polish' },
  output: inferred(
    listed.extend({
      form: z.enum(['template', 'plain']).describe('template: the system text has places to fill'),
      prompt: z.strictObject({ system: z.string(), user: z.string() }).describe('the two texts of the skill'),
      metadata: z.record(z.string(), z.string()),
    }),
  ),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, skillId, id }, context) => {
    const found = (await registryFor(projectId, context)).get(skillId ?? id ?? '');
    const { skill } = found;
    return {
      ...entryOf(found),
      form: skill.form,
      prompt: skill.prompt,
      metadata: skill.metadata,
    };
  },
});

export const skillsPut = defineOperation({
  id: 'skills:put',
  summary: 'Stores a skill file, for one project or for all, with its context rules in canonical form.',
  input: skillFileRequest,
  example: { source: exampleSkill },
  output: inferred(
    checked.extend({
      projectId: z.string().optional().describe('absent when it is for every project'),
      updatedAt: timestamp,
    }),
  ),
  grant: 'write',
  errors: [...storeErrors, 'FILE_UNREADABLE'],
  run: async (request, context) => {
    const { skill, source, advice } = await readSkillFile(request, context);
    const { projectId } = request;
    const store = projectId === undefined ? await context.store() : await projectStore(context, projectId);
    const stored = await store.skills.put({
      id: skill.id,
      name: skill.name,
      description: skill.description,
      source,
      contextRules: contextRulesJson(skill.contextRules),
      ...(projectId === undefined ? {} : { projectId }),
    });
    return {
      ...skillFacts(skill),
      ...(projectId === undefined ? {} : { projectId }),
      updatedAt: stored.updatedAt,
      issues: advice,
    };
  },
});

export const skillsLint = defineOperation({
  id: 'skills:lint',
  summary: 'Checks a skill file without storing it; what would not run is refused, the rest is advice.',
  input: skillFileRequest,
  example: { source: exampleSkill },
  output: inferred(checked),
  grant: 'read',
  errors: ['FILE_UNREADABLE'],
  run: async (request, context) => {
    const { skill, advice } = await readSkillFile(request, context);
    return { ...skillFacts(skill), issues: advice };
  },
});

async function registryFor(project: string | undefined, context: OperationContext) {
  const store = await context.store();
  const folder = await projectFolder(store, project ?? '', context.folder);
  return findSkills({ store, project, folder });
}

function entryOf({ skill, origin }: RegisteredSkill) {
  return { ...skillFacts(skill), origin, ...(skill.path === undefined ? {} : { path: skill.path }) };
}

interface CheckedSkillFile {
  readonly skill: Skill;
  readonly source: string;
  readonly advice: readonly SkillIssue[];
}

/** By path below the working folder, or as its text. */
async function readSkillFile(
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

function skillFacts({ id, name, description, contextRules, recipe, budgetTokens }: Skill) {
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
