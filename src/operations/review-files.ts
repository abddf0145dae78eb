// A change file by file, as people read it, and what they decide about findings: a suggestion put into the work tree, a dismissal
// kept with the repository.
import * as z from 'zod';
import { diffRequest, type ReviewDiff } from '../review/change/review-diff.js';
import { type AppliedSuggestion, applyRequest } from '../review/worktree/apply-suggestion.js';
import { type Exempted, exemptRequest } from '../review/worktree/exempt-findings.js';
import { type SettledReview, settleRequest } from '../review/worktree/settle-review.js';
import { defineOperation, reviewErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { answer, count, named } from './published-schema.js';
import { contextLevel, lastCommit } from './review-change.js';

const hunk = z.strictObject({
  oldStart: count,
  oldLines: count,
  newStart: count,
  newLines: count,
  heading: z.string().describe('what git found above it'),
  lines: z.array(z.string()).describe('each with its sign: a space, + or -'),
  cut: z
    .array(z.strictObject({ line: count, chars: count.describe('that are missing') }))
    .describe('lines that are cut, by their place in lines'),
  noNewline: z.array(count).describe('places of lines that end the file without a line end'),
});

export const reviewDiff = defineOperation({
  id: 'review:diff',
  summary: 'Gives the changed lines of files as people read them, also of files that a review leaves out.',
  input: diffRequest.extend(partFields),
  inParts: true,
  example: lastCommit,
  output: inParts(
    answer<ReviewDiff>()(
      z.strictObject({
        files: z.array(
          named(
            'FileDiff',
            z.strictObject({
              path: z.string(),
              binary: z.boolean(),
              hunks: z.array(hunk),
              left: count.describe('lines that are not given'),
            }),
          ),
        ),
      }),
    ),
  ),
  grant: 'read',
  errors: reviewErrors,
  run: async (request, { folder, signal }) => {
    const { reviewDiff: readDiff } = await import('../review/change/review-diff.js');
    return readDiff(request, { folder, signal });
  },
});

export const reviewApply = defineOperation({
  id: 'review:apply',
  summary:
    'Puts a suggested change into the work tree, if the file still is what was reviewed; refuses otherwise.',
  input: applyRequest,
  example: {
    path: 'src/a.ts',
    blob: 'ed8d121c06494f8c27e13c99b69823ec0517bf74',
    startLine: 3,
    endLine: 3,
    replacement: '  return total;',
  },
  output: answer<AppliedSuggestion>()(
    z.strictObject({
      path: z.string(),
      blob: z.string().describe('of the file as it stands now'),
      grew: z.int().describe('by how many lines'),
      replaced: z.string().describe('what stood there, with its line ends; applied with exact it is undone'),
    }),
  ),
  grant: 'write',
  errors: [...reviewErrors, 'CHANGED_MEANWHILE'],
  run: async (request, { folder, signal }) => {
    const { applySuggestion } = await import('../review/worktree/apply-suggestion.js');
    return applySuggestion(request, { folder, signal });
  },
});

const setting = z.union([z.string(), z.number()]).nullable();

export const reviewSettle = defineOperation({
  id: 'review:settle',
  summary:
    'Shows how a budget or meter would be written into the configuration of reviews, and writes it if the file still is what was shown.',
  input: settleRequest,
  example: { settings: { maxPromptTokens: 64_000 } },
  output: answer<SettledReview>()(
    z.strictObject({
      file: z.string().describe('in the repository'),
      before: z
        .record(z.string(), z.union([setting, z.record(z.string(), contextLevel.nullable())]))
        .describe('what the settings were; null where they were not there'),
      difference: z.array(z.string()).describe('lines that go and come, with their signs'),
      digest: z.string().describe('of the file after this call; empty where there is none'),
      written: z.boolean().describe('whether the file was changed'),
    }),
  ),
  grant: 'write',
  errors: [...reviewErrors, 'CHANGED_MEANWHILE'],
  run: async (request, { folder }) => {
    const { settleReview } = await import('../review/worktree/settle-review.js');
    return settleReview(request, { folder });
  },
});

export const reviewExempt = defineOperation({
  id: 'review:exempt',
  summary:
    'Keeps findings that a person dismissed in the exemptions of the repository, so that no later review raises them.',
  input: exemptRequest,
  example: {
    findings: [
      {
        ...{ id: 'f1', path: 'src/a.ts', side: 'new', startLine: 3, endLine: 3, severity: 'low' },
        ...{ category: 'style', confidence: 0.5, title: 'Long name', message: 'It is long.', evidence: '' },
      },
    ],
  },
  output: answer<Exempted>()(
    z.strictObject({ file: z.string().describe('in the repository'), added: count, removed: count }),
  ),
  grant: 'write',
  errors: [...reviewErrors, 'CHANGED_MEANWHILE'],
  run: async (request, { folder }) => {
    const { exemptFindings } = await import('../review/worktree/exempt-findings.js');
    return exemptFindings(request, { folder });
  },
});
