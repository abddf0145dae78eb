import * as z from 'zod';
import type { ReviewChanges } from '../../review/change/review-changes.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { coverage, lineCounts, omissions } from './omission.js';
import { warnings } from './warning.js';

export const changeMode = z.enum(['pr', 'staged', 'working', 'commit']);

const lineEnd = z.enum(['lf', 'crlf']);

const changedPath = noun(
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
        from: lineEnd,
        to: lineEnd,
        flipped: count.describe('lines that changed in nothing but their end'),
        ...lineCounts,
      })
      .optional(),
  }),
);

export const reviewChanges = answer<ReviewChanges>()(
  z.strictObject({
    mode: changeMode,
    base: z.string().optional(),
    head: z.string().optional(),
    entries: z.array(changedPath),
    omitted: omissions,
    coverage,
    warnings,
  }),
);
