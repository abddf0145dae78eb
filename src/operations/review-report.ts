// What a review found: answers of reviewers as a checked report, or a review that a model does, page by page. What asks models is
// loaded when one is asked.
import * as z from 'zod';
import { type ErrorCode, errorTable } from '../core/model/error.js';
import { type SummaryReason, summaryReasons } from '../review/findings/check-anchors.js';
import { findingSchema } from '../review/findings/finding.js';
import { suggestionFaults } from '../review/findings/suggestion-faults.js';
import { lookRequest, type ReviewLook } from '../review/look/look-at-review.js';
import { risks } from '../review/plan/rule.js';
import type { AnsweredReport } from '../review/report/report-answers.js';
import { reportAnswers, reportRequest } from '../review/report/report-answers.js';
import { reportFormats } from '../review/report/write-report.js';
import type { DryRun, ReviewRun } from '../review/run/result-of-run.js';
import { reviewRunRequest } from '../review/run/run-request.js';
import { defineOperation, modelErrors, reviewErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { answer, count, named } from './published-schema.js';
import { receiptKeeper } from './receipts.js';
import { contextLevel, decidedBy, lastCommit, planRows } from './review-change.js';
import { contextPlaces, pageReceiptObject, pieces } from './review-pages.js';
import { coverage, omissions, receiptObject, runRecords, warnings } from './shared-answers.js';

const place = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('anchored'),
      by: z.enum(['given', 'quote', 'side', 'clip']).describe('given as it was said, or what moved it'),
    }),
    z.strictObject({
      kind: z.literal('summary'),
      reason: z.enum(Object.keys(summaryReasons) as SummaryReason[]),
    }),
  ])
  .describe('on lines of the change, or in the summary with the reason');

const reportedFinding = named(
  'ReportedFinding',
  z.strictObject({
    finding: named('Finding', findingSchema),
    place,
    lostSuggestion: z.enum(suggestionFaults).optional().describe('why its suggestion was taken away'),
    refuted: z.string().optional().describe('why a second look did not confirm it'),
    standing: z.enum(['new', 'still-there']),
  }),
);

const reportFields = {
  report: z.string().describe('in the format that was asked for'),
  format: z.enum(reportFormats),
  findings: z.array(reportedFinding),
  held: count.describe('findings that are not shown'),
  complete: z.boolean().describe('false when a part could not be read or is missing'),
  fails: z.boolean().describe('a finding reaches the level that was asked for'),
};

export const reviewReport = defineOperation({
  id: 'review:report',
  summary:
    'Checks what reviewers answered against the change and writes it as Markdown, JSON, SARIF and others.',
  input: reportRequest.extend(partFields),
  inParts: true,
  example: { ...lastCommit, answers: ['{"findings":[]}'] },
  output: inParts(answer<AnsweredReport>()(z.strictObject({ ...reportFields, warnings }))),
  grant: 'read',
  errors: reviewErrors,
  run: (request, { folder, signal }) => reportAnswers(request, { folder, signal }),
});

export const errorCode = named('ErrorCode', z.enum(Object.keys(errorTable) as ErrorCode[]));

const hit = z.strictObject({
  page: count.optional().describe('from 1; absent for what stands on every page'),
  path: z.string().optional().describe('absent for what stands beside the diff'),
  side: z.enum(['new', 'old']).optional(),
  line: count.optional(),
});

const runReceipt = named(
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

export const spentAnswer = named(
  'Spent',
  z.strictObject({
    calls: count,
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    dollars,
  }),
);

const fileOfRun = named(
  'ReviewedFile',
  z.strictObject({
    path: z.string(),
    risk: z.enum(risks).describe('of its riskiest unit'),
    why: z.string().optional().describe('the reason of a rule'),
    level: contextLevel.describe('the fullest its units are planned with'),
    callers: count.describe('that are shown beside its diff'),
    tests: count.describe('that are shown beside its diff'),
    places: count.describe('anything else that is shown beside its diff'),
  }),
);

const common = {
  estimate: z.strictObject({
    pages: count.describe('how many'),
    calls: count.describe('pages without an answer from an earlier run'),
    inputTokens: count,
    cachedInputTokens: count.describe('of these, what a provider is likely to have kept'),
    dollars,
  }),
  files: z.array(fileOfRun).describe('riskiest first'),
  coverage,
  omitted: omissions,
  plan: planRows.optional().describe('present when a planner was asked'),
  warnings,
  receipt: runReceipt,
};

const placement = z.string().optional().describe('digest of where files stood in the run before');

const pageCallReceipt = named('PageCallReceipt', receiptObject.extend({ page: count, placement }));

const page = z.strictObject({
  page: count.describe('from 1'),
  tokens: count,
  fingerprint: z.string().describe('of everything the answer depends on'),
  pieces,
  context: contextPlaces.describe('what stands on it beside the diff, best first'),
  receipt: pageCallReceipt.describe('of what is sent: system text, prompt and the form of the answer'),
});

export const callReceipts = z.array(receiptObject.extend({ page: count.optional(), placement }));

export const reviewRunAnswer = answer<ReviewRun | DryRun>()(
  z.discriminatedUnion('dryRun', [
    z.strictObject({
      dryRun: z.literal(false),
      ...reportFields,
      model: z.string(),
      pages: z.array(
        page.extend({
          status: z.enum(['reviewed', 'kept', 'partial', 'failed', 'not-asked']),
          code: errorCode.optional(),
          findings: count.describe('how many it has'),
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
      coverageTold: z.string().describe('the coverage in the language of the report'),
      spent: spentAnswer,
      runs: runRecords.describe('one for each call'),
      receipts: callReceipts.describe('of the calls beside the pages: the plan, and second questions'),
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

export const reviewInspect = defineOperation({
  id: 'review:inspect',
  summary:
    'Shows what a review of a change would send, page by page, with reasons and sizes; asks no model and keeps nothing.',
  input: lookRequest,
  example: lastCommit,
  output: answer<ReviewLook>()(
    z.strictObject({
      look: z.string().describe('names the change as it was read; empty where nothing is held'),
      system: z.string().describe('the same for every page'),
      units: z
        .array(
          z.strictObject({
            unit_id: z.string(),
            path: z.string(),
            location: z.string().describe('the symbol it lies in, or its lines'),
            level: contextLevel.describe('how much is shown around it'),
            decided_by: decidedBy,
          }),
        )
        .describe('of the files that were asked for'),
      pages: z.array(
        page.omit({ fingerprint: true, receipt: true }).extend({
          prompt: z.string().optional().describe('of pages whose texts were asked for'),
          kept: z.boolean().describe('answered by an earlier run: it would not be sent'),
        }),
      ),
      ...common,
    }),
  ),
  grant: 'read',
  errors: [...reviewErrors, 'CONTEXT_BUDGET_INFEASIBLE'],
  run: async (request, context) => {
    const { lookAtReview } = await import('../review/look/look-at-review.js');
    const { folder, signal, tickets, answers, looks } = context;
    return lookAtReview(request, {
      ...{ folder, signal, tickets, answers, looks },
      catalog: await context.prices?.(),
      model: (name) => context.model(name),
    });
  },
});

export const runErrors = [
  ...reviewErrors,
  'CONTEXT_BUDGET_INFEASIBLE',
  ...modelErrors,
  'COST_CEILING_REACHED',
] as const;

export const reviewRun = defineOperation({
  id: 'review:run',
  summary:
    'Reviews a change with a model, page by page, and answers with a checked report and what it could not review.',
  input: reviewRunRequest.extend(partFields).refine(({ part = 1, fresh }) => part === 1 || !fresh, {
    error: 'would ask the model again for every part',
    path: ['fresh'],
  }),
  inParts: true,
  example: { ...lastCommit, dryRun: true },
  streams: true,
  output: inParts(reviewRunAnswer),
  grant: 'run',
  errors: runErrors,
  remembers: ({ input, answer: done, history }) => {
    if (history === undefined || input.dryRun || done?.dryRun) return undefined;
    const codes = (done?.pages ?? []).flatMap(({ code }) => code ?? []);
    return {
      ...{ projectId: history, model: done?.model ?? input.model, runs: done?.runs ?? [] },
      ...{ receipt: done?.receipt, coverage: done?.coverage, failures: codes },
    };
  },
  run: async (request, context) => {
    const { runReview } = await import('../review/run/run-review.js');
    const { folder, signal } = context;
    return runReview(request, {
      folder,
      signal,
      model: (name) => context.model(name),
      catalog: await context.prices?.(),
      answers: context.answers,
      tickets: context.tickets,
      keepReceipt: receiptKeeper('review:run', context),
      onEstimate: (estimate) => context.onEstimate?.(estimate),
      onProgress: (progress) => context.onProgress?.(progress),
    });
  },
});
