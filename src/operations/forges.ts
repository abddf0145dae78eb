// Pull requests where they live: reviewed, posted to, looked at, taken back. What talks to a host is loaded when it is asked to.
import * as z from 'zod';
import { severities } from '../review/findings/finding.js';
import type { PullChanges, PullExemptions, PullStatus } from '../review/pull/manage-pull.js';
import type { PostedReview } from '../review/pull/post-review.js';
import {
  pullExemptRequest,
  pullPostRequest,
  pullResolveRequest,
  pullRetractRequest,
  pullReviewRequest,
  pullStatusRequest,
} from '../review/pull/pull-requests.js';
import type { PullReview } from '../review/pull/review-pull.js';
import { defineOperation, type OperationContext, reviewErrors } from './operation.js';
import { answer, count, named } from './published-schema.js';
import { receiptKeeper } from './receipts.js';
import { reviewRunAnswer, runErrors } from './review-report.js';
import { warnings } from './shared-answers.js';

export const forgeErrors = [
  'FORGE_NOT_CONFIGURED',
  'FORGE_UNAVAILABLE',
  'FORGE_REFUSED',
  'FORBIDDEN',
  'NOT_FOUND',
] as const;

export const commit = z.string().describe('id of a commit');

const posted = named(
  'PostedReview',
  z.strictObject({
    posted: z.boolean().describe('false where the pull request moved on meanwhile, or for a dry run'),
    lines: count.describe('remarks put on lines'),
    resolved: count.describe('threads closed'),
    summary: z.enum(['none', 'added', 'edited']),
    refused: count.describe('findings whose lines the host did not take; they stand in the summary'),
    open: count.describe('findings that are open after this run, with earlier ones'),
    inSummary: count.describe('of these, without a line in the diff'),
    dismissed: count.describe('findings that people dismissed; they are not raised again'),
    gone: count.describe('earlier findings that were looked for and not found'),
    held: count.describe('findings that are not shown'),
    fails: z.boolean().describe('an open finding on the change reaches the level that was asked for'),
    warnings,
  }),
);

/** What a door gives an operation that talks to a host. */
export async function pullContext({ folder, signal, forge }: OperationContext) {
  if (forge !== undefined) return { folder, signal, forge };
  const { noForge } = await import('../forges/known-hosts.js');
  throw noForge();
}

/** The same with a model, and who hears how it goes. */
export async function pullModelContext(operation: string, context: OperationContext) {
  const [pull, catalog] = await Promise.all([pullContext(context), context.prices?.()]);
  const { model, answers, tickets, onEstimate, onProgress, now } = context;
  return {
    ...{ ...pull, model, answers, tickets, catalog, now },
    keepReceipt: receiptKeeper(operation, context),
    ...(onEstimate === undefined ? {} : { onEstimate }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

export const forgeReview = defineOperation({
  id: 'forge:review',
  summary:
    'Reviews a pull request on GitHub, GitLab or Gitea: what is new since the last time, and posts the findings if asked to.',
  input: pullReviewRequest,
  example: { pull: '42', dryRun: true },
  streams: true,
  output: answer<PullReview>()(
    z.strictObject({
      pull: z.strictObject({
        number: count,
        url: z.string(),
        base: commit,
        head: commit,
        isFork: z.boolean(),
        state: z.enum(['open', 'merged', 'closed']),
      }),
      since: commit.optional().describe('the head that was reviewed before; only what is new was read'),
      report: z.string().describe('in the format that was asked for; empty for a dry run'),
      review: reviewRunAnswer.optional().describe('absent where nothing is new'),
      posted: posted.optional(),
      fails: z.boolean().describe('a finding on the change reaches the level that was asked for'),
      complete: z.boolean(),
      warnings,
    }),
  ),
  grant: 'run',
  errors: [...runErrors, ...forgeErrors],
  run: async (request, context) => {
    const { reviewPull } = await import('../review/pull/review-pull.js');
    return reviewPull(request, await pullModelContext('forge:review', context));
  },
});

export const forgePost = defineOperation({
  id: 'forge:post',
  summary:
    'Posts a report that was written as JSON to its pull request: remarks on lines, one summary, a check.',
  input: pullPostRequest,
  example: { pull: '42', report: '{"format":"galley.review"}', dryRun: true },
  output: answer<PostedReview>()(posted),
  grant: 'run',
  errors: [...reviewErrors, ...forgeErrors],
  run: async (request, context) => {
    const { postToPull } = await import('../review/pull/manage-pull.js');
    return postToPull(request, await pullContext(context));
  },
});

export const forgeStatus = defineOperation({
  id: 'forge:status',
  summary: 'Says what earlier reviews put on a pull request, and what people made of it.',
  input: pullStatusRequest,
  example: { pull: '42' },
  output: answer<PullStatus>()(
    z.strictObject({
      number: count,
      url: z.string(),
      head: commit,
      reviewed: commit.optional().describe('the last head that was reviewed'),
      complete: z.boolean().optional().describe('every part of the change was read up to that head'),
      summary: z.boolean().describe('whether the one comment that sums up stands there'),
      findings: z.array(
        z.strictObject({
          id: z.string(),
          path: z.string(),
          line: count.describe('0 when no line was named'),
          severity: z.enum(severities),
          title: z.string(),
          standing: z.enum(['open', 'answered', 'dismissed', 'resolved']),
          place: z.enum(['lines', 'summary']),
        }),
      ),
    }),
  ),
  // With the token of whoever runs the program, so not for everybody who may read here.
  grant: 'run',
  errors: [...reviewErrors, ...forgeErrors],
  run: async (request, context) => {
    const { pullStatus } = await import('../review/pull/manage-pull.js');
    return pullStatus(request, await pullContext(context));
  },
});

const changes = answer<PullChanges>()(
  z.strictObject({
    number: count,
    resolved: count.describe('threads closed'),
    removed: count.describe('comments taken back'),
    kept: count.describe('remarks that stay because people answered them'),
    warnings,
  }),
);

export const forgeResolve = defineOperation({
  id: 'forge:resolve',
  summary: 'Closes the threads of findings on a pull request.',
  input: pullResolveRequest,
  example: { pull: '42', findings: ['3f2a91c0'] },
  output: changes,
  grant: 'run',
  errors: [...reviewErrors, ...forgeErrors],
  run: async (request, context) => {
    const { resolveOnPull } = await import('../review/pull/manage-pull.js');
    return resolveOnPull(request, await pullContext(context));
  },
});

export const forgeRetract = defineOperation({
  id: 'forge:retract',
  summary: 'Takes back what reviews posted to a pull request.',
  input: pullRetractRequest,
  example: { pull: '42' },
  output: changes,
  grant: 'run',
  errors: [...reviewErrors, ...forgeErrors],
  run: async (request, context) => {
    const { retractFromPull } = await import('../review/pull/manage-pull.js');
    return retractFromPull(request, await pullContext(context));
  },
});

export const forgeExempt = defineOperation({
  id: 'forge:exempt',
  summary:
    'Gives the file of exemptions with what people dismissed on a pull request, for the repository to keep.',
  input: pullExemptRequest,
  example: { pull: '42' },
  output: answer<PullExemptions>()(
    z.strictObject({
      number: count,
      file: z.string().describe('where the text belongs, in the repository'),
      text: z.string().describe('the whole file'),
      added: count.describe('findings that are new in it'),
    }),
  ),
  grant: 'run',
  errors: [...reviewErrors, ...forgeErrors],
  run: async (request, context) => {
    const { exemptFromPull } = await import('../review/pull/manage-pull.js');
    return exemptFromPull(request, await pullContext(context));
  },
});
