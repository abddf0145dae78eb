// What a project may settle once for all its reviews. Unknown keys are refused: a misspelt setting must not be silently inert.
import { z } from 'zod';
import { reviewRequest } from '../changes/review-request.js';

const { shape } = reviewRequest;

export const reviewConfig = z.strictObject({
  $schema: z.string().optional(),
  /** Paths no review looks at, in the words of .gitignore; a line with ! brings files back. */
  ignore: z.array(z.string().max(4096)).max(10_000).optional(),
  maxChunkTokens: shape.maxChunkTokens,
  maxPromptTokens: shape.maxPromptTokens,
  maxPages: shape.maxPages,
  meter: shape.meter,
  /** A SKILL.md of the repository. */
  skill: shape.skill,
  linterScope: shape.linterScope,
  protect: shape.protect,
  coverageInPrompt: shape.coverageInPrompt,
  lockfileSummary: shape.lockfileSummary,
  /** Own rules of the planner, added to the built-in ones. */
  rules: z.array(z.record(z.string(), z.unknown())).max(1000).optional(),
});

export type ReviewConfig = z.output<typeof reviewConfig>;

/** For editors. */
export function reviewConfigSchema(): unknown {
  return z.toJSONSchema(reviewConfig);
}
