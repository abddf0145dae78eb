import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import type { SkillIssue } from '../../skills/lint-skill.js';
import { contextRulesSchema, type Skill, skillRecipes } from '../../skills/skill.js';
import type { SkillOrigin } from '../../skills/skill-registry.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count, milliseconds } from './numbers.js';
import { warnings } from './warning.js';

export interface SkillFacts
  extends Pick<Skill, 'id' | 'name' | 'description' | 'contextRules' | 'recipe' | 'budgetTokens'> {
  /** The same bytes for the same rules. */
  readonly contextRulesJson: string;
}

export interface ListedSkill extends SkillFacts, Pick<Skill, 'path'> {
  readonly origin: SkillOrigin;
}

export interface SkillList {
  readonly skills: readonly ListedSkill[];
  readonly warnings: readonly Warning[];
}

export interface WholeSkill extends ListedSkill, Pick<Skill, 'form' | 'prompt' | 'metadata'> {}

export interface CheckedSkill extends SkillFacts {
  readonly issues: readonly SkillIssue[];
}

export interface StoredSkill extends CheckedSkill {
  readonly projectId?: string;
  readonly updatedAt: number;
}

const facts = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  contextRules: noun('ContextRules', contextRulesSchema),
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
    noun(
      'SkillIssue',
      z.strictObject({ severity: z.enum(['error', 'advice']), field: z.string(), message: z.string() }),
    ),
  ),
});

export const skillList = answer<SkillList>()(
  z.strictObject({ skills: z.array(noun('Skill', listed)), warnings }),
);

export const wholeSkill = answer<WholeSkill>()(
  listed.extend({
    form: z.enum(['template', 'plain']).describe('template: the system text has places to fill'),
    prompt: z.strictObject({ system: z.string(), user: z.string() }),
    metadata: z.record(z.string(), z.string()),
  }),
);

export const checkedSkill = answer<CheckedSkill>()(checked);

export const storedSkill = answer<StoredSkill>()(
  checked.extend({
    projectId: z.string().optional().describe('absent when it is for every project'),
    updatedAt: milliseconds,
  }),
);
