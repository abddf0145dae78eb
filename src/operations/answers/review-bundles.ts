import * as z from 'zod';
import type { BundleAnswer } from '../../review/context/review-bundles.js';
import { requestTypes } from '../../review/plan/context-need.js';
import type { RelatedFile } from '../../review/related/rank-files.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { omissions } from './omission.js';
import { receipt } from './receipt.js';
import { contextLevel, extraRequests } from './review-plan.js';
import { warnings } from './warning.js';

const requestType = z.enum(requestTypes);

const foundPlace = noun(
  'FoundPlace',
  z.strictObject({
    type: requestType,
    subject: z.string(),
    path: z.string(),
    line: count,
    within: z.string().optional().describe('the symbol around it'),
    certainty: z.enum(['certain', 'possible']),
  }),
);

const requestReport = z.strictObject({
  type: requestType,
  subject: z.string().optional(),
  total: count,
  shown: count,
  unchecked: count.optional().describe('places with the word in files that were not opened'),
  note: z.string().optional(),
});

const snippet = z.strictObject({
  path: z.string(),
  side: z.enum(['old', 'new']),
  startLine: count.describe('from 1'),
  endLine: count.describe('inclusive'),
  blob: z.string(),
  text: z.string(),
  why: z.string(),
  rank: count.optional().describe('among all snippets of the answer, 1 is best'),
});

const bundle = noun(
  'ContextBundle',
  z.strictObject({
    unit_id: z.string(),
    meta: z.strictObject({ file_path: z.string(), location: z.string(), tags: z.array(z.string()) }),
    final_context_level: contextLevel,
    planned_context_level: contextLevel.optional().describe('where the budget allowed only less'),
    extra_requests: extraRequests,
    diff: z.string(),
    function_context: z.string().nullable(),
    file_context: z.string().nullable(),
    full_file: z.string().nullable(),
    previous_version: z.string().nullable(),
    callers: z.array(foundPlace),
    search_results: z.array(foundPlace),
    requests: z.array(requestReport).describe('what became of each request'),
    snippets: z.array(snippet),
  }),
);

export const reviewBundles = answer<BundleAnswer>()(
  z.strictObject({ bundles: z.array(bundle), omitted: omissions, warnings, receipt }),
);

export interface RelatedFiles {
  readonly files: readonly RelatedFile[];
}

export const relatedFiles = answer<RelatedFiles>()(
  z.strictObject({
    files: z.array(z.strictObject({ path: z.string(), score: z.number(), why: z.string() })),
  }),
);
