// A change as its reviewer reads it: chunks, bundles by unit, and the files that belong to given ones. What sets pages is loaded when
// it is asked to.
import * as z from 'zod';
import { contextBudget, reviewRequest } from '../review/change/review-request.js';
import type { BundleAnswer } from '../review/context/review-bundles.js';
import { findRelated, relatedRequest } from '../review/context/review-related.js';
import type { ReviewChunks } from '../review/pages/page-set.js';
import { requestTypes } from '../review/plan/context-need.js';
import type { RelatedFile } from '../review/related/rank-files.js';
import { defineOperation, reviewErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { answer, count, named } from './published-schema.js';
import { redactField } from './request-fields.js';
import { contextLevel, extraRequests, lastCommit } from './review-change.js';
import { coverage, lineCounts, omissions, receipt, receiptObject, warnings } from './shared-answers.js';

const piece = named(
  'ChunkPiece',
  z.strictObject({
    path: z.string(),
    part: count.describe('from 1, of a file that is split'),
    parts: count,
    ...lineCounts,
    applicable: z.boolean().describe('git would apply it as it stands'),
  }),
);

export const pieces = z.array(piece);

export const contextPlaces = z.array(
  named(
    'ContextPlace',
    z.strictObject({
      path: z.string(),
      side: z.enum(['old', 'new']),
      startLine: count.describe('from 1'),
      endLine: count.describe('inclusive'),
      blob: z.string(),
      why: z.string(),
    }),
  ),
);

const chunk = named(
  'Chunk',
  z.strictObject({
    index: count.describe('from 1'),
    total: count,
    text: z.string(),
    tokens: count,
    diffTokens: count,
    files: z.array(z.string()),
    pieces: pieces.describe('what stands under Code Changes, in order'),
    context: contextPlaces.optional().describe('what stands under Context, best first'),
  }),
);

const lineSum = z.strictObject(lineCounts);

export const pageReceiptObject = receiptObject.extend({
  coverage,
  accounting: z.strictObject({
    onPages: lineSum,
    abridged: lineSum.describe('lines of data that are counted where they stood, and not shown'),
    omitted: lineSum.describe('lines that are left out'),
    unseen: z
      .array(z.string())
      .describe('paths that could not be read or are in conflict; their lines are in neither sum'),
    notApplicable: count.describe('pieces that read right but do not apply'),
    windowedLines: count,
    splitFiles: count,
  }),
});

export const reviewChunks = defineOperation({
  id: 'review:chunks',
  summary:
    'Sets a change as chunks for a reviewer: whole files, within a limit, with rules and instructions in each.',
  input: reviewRequest.extend({ context: contextBudget.optional(), ...redactField, ...partFields }),
  inParts: true,
  example: lastCommit,
  streams: true,
  output: inParts(
    answer<ReviewChunks>()(
      z.strictObject({
        chunks: z.array(chunk),
        omitted: omissions,
        coverage,
        warnings,
        dependencies: z
          .array(
            z.strictObject({
              path: z.string(),
              package: z.string(),
              from: z.string().optional().describe('absent for a package that is new'),
              to: z.string().optional().describe('absent for a package that is gone'),
            }),
          )
          .optional()
          .describe('present when a summary of lockfiles was asked for'),
        receipt: named('PageReceipt', pageReceiptObject),
      }),
    ),
  ),
  grant: 'read',
  errors: [...reviewErrors, 'CONTEXT_BUDGET_INFEASIBLE'],
  run: async (request, { folder, signal, onProgress }) => {
    const { reviewChunks: setChunks } = await import('../review/pages/page-set.js');
    return setChunks(request, { folder, signal, ...(onProgress === undefined ? {} : { onProgress }) });
  },
});

const requestType = z.enum(requestTypes);

const foundPlace = named(
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

const bundle = named(
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

export const reviewBundles = defineOperation({
  id: 'review:bundles',
  summary:
    'Gives each changed unit its diff and the context its plan asks for, within a budget if one is set.',
  input: reviewRequest.extend({
    maxDiffChars: z.int().min(1).max(1_000_000_000).optional(),
    ...redactField,
    ...partFields,
  }),
  inParts: true,
  example: lastCommit,
  output: inParts(
    answer<BundleAnswer>()(
      z.strictObject({ bundles: z.array(bundle), omitted: omissions, warnings, receipt }),
    ),
  ),
  grant: 'read',
  errors: [...reviewErrors, 'CONTEXT_BUDGET_INFEASIBLE'],
  run: async (request, { folder, signal }) => {
    const { reviewBundles: bundleChange } = await import('../review/context/review-bundles.js');
    return bundleChange(request, { folder, signal });
  },
});

export const reviewRelated = defineOperation({
  id: 'review:related',
  summary: 'Ranks the files that belong to given ones: by rare words, common history, names and imports.',
  input: relatedRequest,
  example: { paths: ['README.md'] },
  output: answer<{ readonly files: readonly RelatedFile[] }>()(
    z.strictObject({
      files: z
        .array(z.strictObject({ path: z.string(), score: z.number(), why: z.string() }))
        .describe('best first'),
    }),
  ),
  grant: 'read',
  errors: reviewErrors,
  run: (request, { folder, signal }) => findRelated(request, { folder, signal }),
});
