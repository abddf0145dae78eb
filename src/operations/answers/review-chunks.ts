import * as z from 'zod';
import type { ReviewChunks } from '../../review/pages/page-set.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { coverage, lineCounts, omissions } from './omission.js';
import { receiptObject } from './receipt.js';
import { warnings } from './warning.js';

const piece = noun(
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
  noun(
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

const chunk = noun(
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
    omitted: lineSum,
    unseen: z
      .array(z.string())
      .describe('paths that could not be read or are in conflict; their lines are in neither sum'),
    notApplicable: count.describe('pieces that read right but do not apply'),
    windowedLines: count,
    splitFiles: count,
  }),
});

export const reviewChunks = answer<ReviewChunks>()(
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
    receipt: noun('PageReceipt', pageReceiptObject),
  }),
);
