// Takes a skill file in, or only looks at it. Both refuse a file that could not run.
import { contextRulesJson } from '../skills/skill.js';
import { checkedSkill, storedSkill } from './answers/skill.js';
import { defineOperation } from './operation.js';
import { readSkillFile, skillFacts, skillFileRequest } from './skills-file.js';
import { storeErrors } from './store-errors.js';

export const skillsPut = defineOperation({
  id: 'skills:put',
  summary: 'Stores a skill file, for one project or for all, with its context rules in canonical form.',
  input: skillFileRequest,
  output: storedSkill,
  grant: 'write',
  errors: [...storeErrors, 'FILE_UNREADABLE'],
  run: async (request, context) => {
    const { skill, source, advice } = await readSkillFile(request, context);
    const { projectId } = request;
    const stored = await (await context.store()).skills.put({
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
  output: checkedSkill,
  grant: 'read',
  errors: ['FILE_UNREADABLE'],
  run: async (request, context) => {
    const { skill, advice } = await readSkillFile(request, context);
    return { ...skillFacts(skill), issues: advice };
  },
});
