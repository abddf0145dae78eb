import * as z from 'zod';
import { contextLevels, extraRequestSchema } from '../../review/plan/context-need.js';
import type { PlanAnswer } from '../../review/plan/plan-review.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count, ratio } from './numbers.js';
import { lineCounts, omissions } from './omission.js';
import { changeMode } from './review-changes.js';
import { warnings } from './warning.js';

export const contextLevel = z.enum(contextLevels);

export const extraRequests = z.array(noun('ExtraRequest', extraRequestSchema));

const planRow = noun(
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
    decided_by: z.enum(['rule', 'llm', 'both']).describe('whose level stands'),
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

export const reviewPlan = answer<PlanAnswer>()(
  z.strictObject({
    planner_index: noun(
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
);
