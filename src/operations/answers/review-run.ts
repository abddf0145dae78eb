import * as z from 'zod';
import { type ErrorCode, errorTable } from '../../core/model/error.js';
import type { DryRun, ReviewRun } from '../../review/run/result-of-run.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { coverage, omissions } from './omission.js';
import { receiptObject, runRecords } from './receipt.js';
import { contextPlaces, pageReceiptObject, pieces } from './review-chunks.js';
import { planRows } from './review-plan.js';
import { reportFields } from './review-report.js';
import { warnings } from './warning.js';

const errorCode = noun('ErrorCode', z.enum(Object.keys(errorTable) as ErrorCode[]));

const hit = z.strictObject({
  page: count.optional().describe('from 1; absent for what stands on every page'),
  path: z.string().optional().describe('absent for what stands beside the diff'),
  side: z.enum(['new', 'old']).optional(),
  line: count.optional(),
});

const runReceipt = noun(
  'RunReceipt',
  pageReceiptObject.extend({
    redactions: z.array(hit.extend({ rule: z.string() })).describe('where secrets were taken out'),
    hiddenText: z
      .array(
        hit.extend({
          kind: z.enum(['bidi', 'tag', 'invisible', 'control', 'lookalike', 'comment-to-model']),
          count,
        }),
      )
      .describe('where hidden text was made visible'),
    placement: z.string().optional().describe('digest of where files stood in the run before'),
  }),
);

const dollars = z.number().optional().describe('absent when the price is not known');

const common = {
  estimate: z.strictObject({
    pages: count,
    calls: count.describe('pages without an answer from an earlier run'),
    inputTokens: count,
    cachedInputTokens: count.describe('of these, what a provider is likely to have kept'),
    dollars,
  }),
  coverage,
  omitted: omissions,
  plan: planRows.optional().describe('present when a planner was asked'),
  warnings,
  receipt: runReceipt,
};

const placement = z.string().optional().describe('digest of where files stood in the run before');

const pageCallReceipt = noun('PageCallReceipt', receiptObject.extend({ page: count, placement }));

const page = z.strictObject({
  page: count.describe('from 1'),
  tokens: count,
  fingerprint: z.string().describe('of everything the answer depends on'),
  pieces,
  context: contextPlaces.describe('what stands on it beside the diff, best first'),
  receipt: pageCallReceipt.describe('of what is sent: system text, prompt and the form of the answer'),
});

export const reviewRun = answer<ReviewRun | DryRun>()(
  z.discriminatedUnion('dryRun', [
    z.strictObject({
      dryRun: z.literal(false),
      ...reportFields,
      model: z.string(),
      pages: z.array(
        page.extend({
          status: z.enum(['reviewed', 'kept', 'partial', 'failed', 'not-asked']),
          code: errorCode.optional(),
          findings: count,
        }),
      ),
      missing: z.array(
        z.strictObject({
          page: count,
          status: z.enum(['partial', 'failed', 'not-asked']),
          code: errorCode.optional(),
          files: z.array(z.string()),
        }),
      ),
      spent: z.strictObject({
        calls: count,
        inputTokens: z.number(),
        cachedInputTokens: z.number(),
        outputTokens: z.number(),
        dollars,
      }),
      runs: runRecords.describe('one for each call'),
      receipts: z
        .array(receiptObject.extend({ page: count.optional(), placement }))
        .describe('of the calls beside the pages: the plan, and second questions'),
      ...common,
    }),
    z.strictObject({
      dryRun: z.literal(true),
      system: z.string().describe('the same for every page'),
      pages: z.array(
        page.extend({
          prompt: z.string(),
          kept: z.boolean().describe('answered by an earlier run: it would not be sent'),
        }),
      ),
      ...common,
    }),
  ]),
);
