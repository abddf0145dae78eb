// What a project may settle once for all its reviews. Unknown keys are refused: a misspelt setting must not be silently inert.
import * as z from 'zod';
import { reviewRequest } from '../changes/review-request.js';

const { shape } = reviewRequest;

export const reviewConfig = z.strictObject({
  $schema: z.string().optional().describe('For editors; Galley does not read it.'),
  ignore: z
    .array(z.string().max(4096))
    .max(10_000)
    .optional()
    .describe('Paths no review looks at, in the words of .gitignore; a line with ! brings files back.'),
  maxChunkTokens: shape.maxChunkTokens.describe('Tokens of diff on one page; 32,000 unless told.'),
  maxPromptTokens: shape.maxPromptTokens.describe(
    'Tokens of one whole page, with everything around the diff.',
  ),
  maxRuleTokens: shape.maxRuleTokens.describe(
    'Tokens of project rules (CLAUDE.md and the like) on one page of a review; 30,000 unless told, and more is refused.',
  ),
  maxPages: shape.maxPages.describe(
    'Pages at most; then risk decides what stays, and the coverage says what does not.',
  ),
  meter: shape.meter.describe('What counts tokens: o200k_base unless told.'),
  skill: shape.skill.describe('A SKILL.md of the repository with instructions for the reviewer.'),
  linterScope: shape.linterScope.describe(
    'Which findings of linters are shown: those on changed lines, or all of changed files.',
  ),
  protect: shape.protect.describe('Whether a confident rule alone keeps a unit from being skipped.'),
  coverageInPrompt: shape.coverageInPrompt.describe('Whether the pages themselves say what was left out.'),
  lockfileSummary: shape.lockfileSummary.describe('Whether lockfiles are summed up: package, from, to.'),
  rules: z
    .array(z.record(z.string(), z.unknown()))
    .max(1000)
    .optional()
    .describe(
      'Own rules of the planner, added to the built-in ones; what a built-in rule settles, an own rule overrides, and one with the same id replaces it.',
    ),
});

export type ReviewConfig = z.output<typeof reviewConfig>;

/** For editors. */
export function reviewConfigSchema(): unknown {
  return z.toJSONSchema(reviewConfig);
}
