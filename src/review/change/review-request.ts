// What every review operation is asked with: which change, how much room, and what goes along with it.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import type { ChangeRequest } from '../../git/changes/read-change-set.js';

/** Tokens of diff on one page, where nobody says otherwise. */
export const defaultChunkTokens = 32_000;
export const defaultMeter = 'o200k_base';

const revision = textField(1000).min(1);
const path = textField(4096).min(1);
const count = z.int().min(1).max(1_000_000_000);

export const linterFormats = [
  'sarif',
  'eslint',
  'checkstyle',
  'rdjson',
  'rdjsonl',
  'golangci',
  'ruff',
] as const;

export type LinterFormat = (typeof linterFormats)[number];

const plannedUnit = z.object({
  unit_id: textField(200),
  llm_context_level: textField(200).nullish(),
  extra_requests: z.array(z.unknown()).max(1000).nullish(),
  skip_review: z.boolean().nullish(),
  reason: textField(10_000).nullish(),
});

export const reviewRequest = z.strictObject({
  /** A folder inside the repository; relative ones start at the folder one works in. */
  repo: path.default('.'),
  mode: z.enum(['pr', 'staged', 'working', 'commit']),
  base: revision.optional(),
  head: revision.optional(),
  commit: revision.optional(),
  /** Pathspecs as git has them; what lies outside is left out and accounted for. Relative ones start at `repo`. */
  paths: z.array(path).min(1).max(200).optional(),
  /** Paths whose change an earlier review has read: left out this time, and accounted for. */
  reviewedBefore: z.array(path).max(100_000).optional(),
  /** Bounds the diff of one chunk. */
  maxChunkTokens: count.optional(),
  /** Bounds a whole chunk as it is sent. */
  maxPromptTokens: count.optional(),
  /** Bounds the rules of the project, which stand on every page. */
  maxRuleTokens: count.optional(),
  maxPages: z.int().min(1).max(1_000_000).optional(),
  budget: z.strictObject({ tokens: count }).optional(),
  /** A SKILL.md. */
  skill: path.optional(),
  linter: z
    .array(z.strictObject({ path, format: z.enum(linterFormats) }))
    .max(100)
    .optional(),
  /** Findings on changed lines only, unless told otherwise. */
  linterScope: z.enum(['changed-lines', 'changed-files']).optional(),
  /** A planner's answer to replay; what it says is checked unit by unit later. */
  llm_plan: z.object({ plan: z.array(plannedUnit).max(100_000) }).optional(),
  protect: z.enum(['strict', 'risk']).optional(),
  meter: textField(100).optional(),
  /** Shows data inside code whole: drawings, encoded bytes, tables, snapshots. */
  wholeData: z.boolean().optional(),
  /** Also tells the model what it does not see. */
  coverageInPrompt: z.boolean().optional(),
  /** Says in a few words what changed inside lockfiles, which are never sent themselves. */
  lockfileSummary: z.boolean().optional(),
});

/** Tokens of context beside the diff of each page, `plan` for what the plan asks for, or `none`. */
export const contextBudget = z.union([z.int().min(1).max(1_000_000_000), z.enum(['plan', 'none'])]);

/** How often a reviewer may ask for more, and how much it is served; for a request and for a project's settings. */
export const followUpFields = {
  followUps: z.int().min(0).max(5).optional(),
  followUpTokens: z.int().min(1).max(1_000_000).optional(),
} as const;

export type ReviewRequest = z.output<typeof reviewRequest>;

/** The part of a request that names the change; fields of other modes are left out. */
export function changeRequestOf(request: ReviewRequest): ChangeRequest {
  const { mode, base, head, commit } = request;
  if (mode === 'pr')
    return { mode, ...(base === undefined ? {} : { base }), ...(head === undefined ? {} : { head }) };
  if (mode === 'commit') return { mode, ...(commit === undefined ? {} : { commit }) };
  return { mode };
}
