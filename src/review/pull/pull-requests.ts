// What operations on a pull request are asked with.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { severities } from '../findings/finding.js';
import { reportLanguages } from '../report/report-words.js';
import { reviewRunRequest } from '../run/run-request.js';

const pullFields = {
  /** Number or address; the one of this CI run or of this branch when left out. */
  pull: textField(2000).min(1).optional(),
  /** A clone, if there is one; relative paths start at the folder one works in. */
  repo: textField(4096).min(1).default('.'),
  /** Tells several reviews of one pull request apart. */
  key: textField(64)
    .regex(/^[\w.-]+$/)
    .default('default'),
} as const;

export const pullStatusRequest = z.strictObject(pullFields);

export type PullFields = z.output<typeof pullStatusRequest>;

/** How a model is used on the change of a pull request; which change that is, its host says. */
const pullRunRequest = reviewRunRequest
  .omit({
    ...{ mode: true, base: true, head: true, commit: true, earlier: true, intent: true },
    reviewedBefore: true,
  })
  .extend(pullFields);

const verify = z
  .boolean()
  .optional()
  .describe(
    'shows findings to a model once more; what it refutes is held back. On where something is posted',
  );

/** In dollars; what reviews of this clone have recorded counts. */
const caps = {
  maxPullCost: z
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe('in dollars, for all runs on one pull request'),
  maxMonthCost: z
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe('in dollars, for all runs of a month'),
};

export const pullReviewRequest = pullRunRequest.extend({
  ...caps,
  /** Writes the result to the pull request; without it nothing there changes. */
  post: z.boolean().default(false),
  /** Only what stands a second look is posted, unless told otherwise. */
  verify,
  /** Reads every changed file again, also those that did not change since the last review. */
  everything: z.boolean().default(false),
  /** Also where somebody asked for a pause. */
  evenPaused: z.boolean().default(false),
});

export type PullReviewRequest = z.output<typeof pullReviewRequest>;

export const pullAnswerRequest = pullRunRequest.extend({ ...caps, verify });

export type PullAnswerRequest = z.output<typeof pullAnswerRequest>;

export const pullDescribeRequest = pullRunRequest
  .omit({
    failLevel: true,
    format: true,
    minSeverity: true,
    most: true,
    dryRun: true,
    verify: true,
    verifyModel: true,
  })
  .extend({
    ...caps,
    maxPages: z
      .int()
      .min(1)
      .max(20)
      .default(3)
      .describe('pages that are read; the files of others are only named'),
    /** Into the marked part of its description; without it nothing there changes. */
    write: z.boolean().default(false),
  });

export type PullDescribeRequest = z.output<typeof pullDescribeRequest>;

export const pullPostRequest = z.strictObject({
  ...pullFields,
  report: textField().describe('a report in JSON, of this very head'),
  failLevel: z.enum([...severities, 'none']).default('none'),
  language: z.enum(reportLanguages).optional(),
  dryRun: z.boolean().default(false).describe('changes nothing and tells what would be done'),
});

export type PullPostRequest = z.output<typeof pullPostRequest>;

/** Of two findings that begin alike no beginning is taken. */
const findingId = textField(80).regex(/^[0-9a-f]{4,}$/i, {
  error: 'must be the id of a finding, or at least 4 of its first characters; galley pr status lists them',
});

export const pullResolveRequest = z.strictObject({
  ...pullFields,
  findings: z
    .array(findingId)
    .min(1)
    .max(1000)
    .describe('ids as forge:status has them; their beginnings suffice'),
});

export type PullResolveRequest = z.output<typeof pullResolveRequest>;

export const pullRetractRequest = z.strictObject({
  ...pullFields,
  /** Also remarks that people answered. */
  all: z.boolean().default(false),
});

export type PullRetractRequest = z.output<typeof pullRetractRequest>;

export const pullExemptRequest = z.strictObject({
  ...pullFields,
  findings: z
    .array(findingId)
    .max(1000)
    .optional()
    .describe('ids as forge:status has them; what people dismissed when left out'),
  existing: textField()
    .optional()
    .describe('text of the file as it stands; read from the clone when left out'),
});

export type PullExemptRequest = z.output<typeof pullExemptRequest>;

export const pullStatsRequest = z.strictObject({
  ...{ repo: pullFields.repo, key: pullFields.key },
  last: z.int().min(1).max(500).default(100).describe('how many pull requests, open and merged'),
});

export type PullStatsRequest = z.output<typeof pullStatsRequest>;
