// The skills a project can run: its own files, what was put, and the built-in ones.
import * as z from 'zod';
import type { RegisteredSkill } from '../skills/skill-registry.js';
import { findSkills } from '../writing/context/find-skill.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { skillList, wholeSkill } from './answers/skill.js';
import { defineOperation, type OperationContext } from './operation.js';
import { skillFacts } from './skills-file.js';
import { storeErrors } from './store-errors.js';
import { nameField } from './writing-fields.js';

async function registryFor(project: string | undefined, context: OperationContext) {
  const store = await context.store();
  const folder = await projectFolder(store, project ?? '', context.folder);
  return findSkills({ store, project, folder });
}

function entryOf({ skill, origin }: RegisteredSkill) {
  return { ...skillFacts(skill), origin, ...(skill.path === undefined ? {} : { path: skill.path }) };
}

export const skillsList = defineOperation({
  id: 'skills:list',
  summary: 'Lists the skills of a project: its own, those for everyone, and the built-in ones.',
  input: z.strictObject({ projectId: nameField.optional() }),
  output: skillList,
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
  output: wholeSkill,
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
