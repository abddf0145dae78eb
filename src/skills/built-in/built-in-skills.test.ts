import { expect, it } from 'vitest';
import { contextRulesJson, readContextRules } from '../skill.js';
import { builtInSkills } from './built-in-skills.js';

const matrix = {
  polish: [1500, { surrounding: 500, user_preferences: true, style_guide: true }],
  condense: [1500, { surrounding: 500, user_preferences: true, style_guide: true }],
  expand: [3000, { surrounding: 800, outline: true, characters: true }],
  dialogue: [2500, { surrounding: 800, characters: true, knowledge_graph: true }],
  consistency: [4000, { surrounding: 1000, recent_summary: 5, knowledge_graph: true }],
  continue: [
    3500,
    { surrounding: 2000, recent_summary: 3, outline: true, user_preferences: true, characters: true },
  ],
} as const;

it('ships the six skills of the matrix with their budgets and rules [skill.matrix]', () => {
  expect(builtInSkills()).toEqual(builtInSkills('zh'));
  for (const language of ['zh', 'en'] as const)
    expect(builtInSkills(language).map((skill) => skill.id)).toEqual(Object.keys(matrix));
  for (const skill of [...builtInSkills('zh'), ...builtInSkills('en')]) {
    const [budget, rules] = matrix[skill.id as keyof typeof matrix];
    expect(skill.budgetTokens).toBe(budget);
    expect(contextRulesJson(skill.contextRules)).toBe(contextRulesJson(readContextRules(rules)));
    expect(skill.prompt.user).toContain('{{text}}');
    expect(skill.prompt.system).toMatch(/输出格式|What to return/);
  }
});
