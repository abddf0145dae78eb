// What a team's own pull requests say about reviews: merged ones reviewed once more, and what became of findings. Nothing is posted.
import * as z from 'zod';
import { pullStatsRequest } from '../review/pull/pull-requests.js';
import type { PullStats } from '../review/pull/pull-stats.js';
import { replayRequest } from '../review/replay/replay-request.js';
import type { Replay } from '../review/replay/replay-result.js';
import { commit, forgeErrors, pullContext } from './forges.js';
import { defineOperation } from './operation.js';
import { answer, count } from './published-schema.js';
import { receiptKeeper } from './receipts.js';
import { errorCode, runErrors } from './review-report.js';
import { warnings } from './shared-answers.js';

const dollars = z.number().nonnegative();

const score = {
  findings: count,
  onPlaces: count.describe('findings on lines that people or a later fix touched, or up to two lines beside'),
  placesFound: count.describe('places with a finding on them'),
  calls: count.describe('answers kept from an earlier run are none'),
  dollars: dollars.optional(),
};
const side = {
  pages: count,
  inputTokens: count.describe('of everything that a first review sends'),
  inputDollars: dollars.optional().describe('for reading it, where the price of the model is known'),
  shown: count.describe('places of which the reviewer sees at least half of the lines'),
};
const places = z.strictObject({
  comments: count.describe('that people commented on'),
  fixes: count.describe('that later fixes changed'),
});
const pullSide = z.strictObject({
  ...side,
  review: z
    .strictObject({ ...score, complete: z.boolean().describe('every page was answered') })
    .optional()
    .describe('absent where no model was asked'),
});
const totalSide = z.strictObject({ ...side, review: z.strictObject(score).optional() });
const number = count.optional().describe('absent where the history does not tell it');

export const forgeReplay = defineOperation({
  id: 'forge:replay',
  summary:
    'Reviews merged pull requests once more, with context and without, against what people commented and what was fixed later; posts nothing.',
  input: replayRequest,
  example: { last: 20, local: true, dryRun: true },
  streams: true,
  output: answer<Replay>()(
    z.strictObject({
      source: z.enum(['host', 'history']),
      model: z.string().optional(),
      within: z
        .strictObject({ days: count, commits: count })
        .describe('how long after a merge fixes were looked for'),
      pulls: z.array(
        z.strictObject({
          number,
          title: z.string(),
          base: commit,
          head: commit,
          fixes: count.describe('later commits that fixed something on its lines'),
          places,
          withContext: pullSide,
          withoutContext: pullSide,
        }),
      ),
      skipped: z
        .array(z.strictObject({ number, head: commit, code: errorCode }))
        .describe('those that could not be replayed'),
      left: count.describe('not looked at, since the ceiling of cost was reached'),
      total: z.strictObject({
        pulls: count,
        touched: count.describe('with a place that people or a later fix touched'),
        fixes: count,
        places,
        withContext: totalSide,
        withoutContext: totalSide,
      }),
      warnings,
    }),
  ),
  grant: 'run',
  errors: [...runErrors, ...forgeErrors],
  run: async (request, context) => {
    const [{ replayPulls }, catalog] = await Promise.all([
      import('../review/replay/replay-pulls.js'),
      context.prices?.(),
    ]);
    const { folder, signal, model, forge, answers, onProgress, onReplayed } = context;
    return replayPulls(request, {
      ...{ folder, signal, model, forge, answers, catalog },
      keepReceipt: receiptKeeper('forge:replay', context),
      onRead: (done, total) => onProgress?.({ stage: 'pulls', done, total }),
      onPull(pull, done, total) {
        onReplayed?.(pull);
        onProgress?.({ stage: 'replay', done, total });
      },
    });
  },
});

const fates = {
  accepted: count.describe('their lines changed, and the thread was closed or they were not found again'),
  dismissed: count.describe('closed on unchanged lines, voted down, or called intended'),
  open: count,
};
const namedFates = z.array(z.strictObject({ name: z.string(), ...fates }));

export const forgeStats = defineOperation({
  id: 'forge:stats',
  summary:
    'Counts what became of the findings on the last pull requests: accepted, dismissed or open, by severity, category and month.',
  input: pullStatsRequest,
  example: { last: 50 },
  streams: true,
  output: answer<PullStats>()(
    z.strictObject({
      repository: z.string(),
      pulls: count.describe('that were read'),
      withFindings: count,
      total: z.strictObject(fates),
      bySeverity: namedFates,
      byCategory: namedFates,
      byMonth: namedFates.describe('in which they were said'),
    }),
  ),
  grant: 'run',
  errors: forgeErrors,
  run: async (request, context) => {
    const [{ pullStats }, pull] = await Promise.all([
      import('../review/pull/pull-stats.js'),
      pullContext(context),
    ]);
    const { onProgress } = context;
    return pullStats(request, { ...pull, ...(onProgress === undefined ? {} : { onProgress }) });
  },
});
