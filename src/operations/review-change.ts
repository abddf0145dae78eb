// What changed, and how much context each changed unit needs. What reads a change is loaded when it is asked to.
import * as z from 'zod';
import type { ReviewChanges } from '../review/change/review-changes.js';
import { reviewRequest } from '../review/change/review-request.js';
import { contextLevels, extraRequestSchema } from '../review/plan/context-need.js';
import type { PlanAnswer } from '../review/plan/plan-review.js';
import { defineOperation, reviewErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { answer, count, named, ratio } from './published-schema.js';
import { coverage, lineCounts, omissions, warnings } from './shared-answers.js';

const changeMode = z.enum(['pr', 'staged', 'working', 'commit']);

const lineEnd = z.enum(['lf', 'crlf']);

const changedPath = named(
  'ChangedPath',
  z.strictObject({
    path: z.string(),
    oldPath: z.string().optional(),
    status: z.enum([
      'added',
      'modified',
      'deleted',
      'renamed',
      'copied',
      'type-changed',
      'unmerged',
      'mode-changed',
    ]),
    kind: z.enum(['file', 'symlink', 'submodule', 'lfs-pointer']),
    oldMode: z.string().optional(),
    newMode: z.string().optional(),
    oldBlob: z.string().optional().describe('the commit, for submodules'),
    newBlob: z.string().optional(),
    similarity: z.number().optional().describe('percent, for renames and copies'),
    binary: z.boolean(),
    ...lineCounts,
    hunks: z
      .array(z.strictObject({ oldStart: count, oldLines: count, newStart: count, newLines: count }))
      .describe('empty for what is left out'),
    lineEndings: z
      .strictObject({
        from: lineEnd.describe('before the change'),
        to: lineEnd.describe('after the change'),
        flipped: count.describe('lines that changed in nothing but their end'),
        ...lineCounts,
      })
      .optional(),
  }),
);

/** Every repository has one. */
export const lastCommit = { mode: 'commit', commit: 'HEAD' } as const;

export const reviewChanges = defineOperation({
  id: 'review:changes',
  summary: 'Lists every changed path, and every path a review leaves out with its reason.',
  input: reviewRequest.extend(partFields),
  inParts: true,
  example: lastCommit,
  output: inParts(
    answer<ReviewChanges>()(
      z.strictObject({
        mode: changeMode,
        base: z.string().optional(),
        head: z.string().optional(),
        entries: z.array(changedPath),
        omitted: omissions,
        coverage,
        warnings,
        look: z
          .string()
          .optional()
          .describe('present where the change is held open: review:inspect goes on with it'),
      }),
    ),
  ),
  grant: 'read',
  errors: reviewErrors,
  run: async (request, { folder, signal, looks, tickets }) => {
    const { lookAtChanges } = await import('../review/look/look-at-changes.js');
    return lookAtChanges(request, { folder, signal, looks, tickets });
  },
});

export const contextLevel = z.enum(contextLevels);
export const decidedBy = z.enum(['rule', 'llm', 'both', 'request']).describe('whose level stands');

export const extraRequests = z.array(named('ExtraRequest', extraRequestSchema));

const planRow = named(
  'PlanRow',
  z.strictObject({
    unit_id: z.string(),
    rule_context_level: contextLevel,
    rule_confidence: ratio,
    llm_context_level: contextLevel.nullable(),
    final_context_level: contextLevel,
    extra_requests: extraRequests,
    skip_review: z.boolean(),
    reason: z.string(),
    decided_by: decidedBy,
    llm_reason: z.string().optional(),
  }),
);

export const planRows = z.array(planRow);

const indexUnit = z.strictObject({
  unit_id: z.string(),
  file_path: z.string(),
  patch_type: z.enum(['add', 'modify', 'delete', 'rename']),
  tags: z.array(z.string()),
  metrics: z.strictObject({ added_lines: count, removed_lines: count, hunk_count: count }),
  rule_context_level: contextLevel,
  rule_confidence: ratio,
  line_numbers: z.strictObject({
    new_compact: z.string().nullable(),
    old_compact: z.string().nullable(),
  }),
  rule_extra_requests: extraRequests,
});

export const reviewPlan = defineOperation({
  id: 'review:plan',
  summary: 'Says how much context each changed unit needs: by rules, by a planner, and by both.',
  input: reviewRequest.extend(partFields),
  inParts: true,
  example: lastCommit,
  output: inParts(
    answer<PlanAnswer>()(
      z.strictObject({
        planner_index: named(
          'PlannerIndex',
          z.strictObject({
            review_metadata: z.strictObject({
              mode: changeMode,
              base_branch: z.string(),
              total_files: count,
              total_changes: count,
              timestamp: z.string().describe('committer date of the head'),
            }),
            summary: z.strictObject({
              changes_by_type: z.record(z.string(), count),
              total_lines: z.strictObject(lineCounts),
              files_changed: z.array(z.string()),
            }),
            units: z.array(indexUnit),
          }),
        ),
        plan: planRows,
        omitted: omissions,
        warnings,
      }),
    ),
  ),
  grant: 'read',
  errors: reviewErrors,
  run: async (request, { folder, signal }) => {
    const { reviewPlan: planChange } = await import('../review/plan/plan-review.js');
    return planChange(request, { folder, signal });
  },
});
