// What people ask for on a pull request, answered there: commands in comments, and a description.
import * as z from 'zod';
import type { PullAnswers } from '../review/pull/answer-pull.js';
import { commandKinds } from '../review/pull/commands.js';
import type { PullDescription } from '../review/pull/describe-pull.js';
import { pullAnswerRequest, pullDescribeRequest } from '../review/pull/pull-requests.js';
import { forgeErrors, pullModelContext } from './forges.js';
import { defineOperation } from './operation.js';
import { answer, count } from './published-schema.js';
import { callReceipts, errorCode, runErrors, spentAnswer } from './review-report.js';
import { runRecords, warnings } from './shared-answers.js';

export const forgeAnswer = defineOperation({
  id: 'forge:answer',
  summary:
    'Answers the commands that people with write access left in comments on a pull request (@galley review, explain, why, ask, describe, pause, resume), each once.',
  input: pullAnswerRequest,
  example: { pull: '42', dryRun: true },
  streams: true,
  output: answer<PullAnswers>()(
    z.strictObject({
      number: count,
      url: z.string(),
      commands: z.array(
        z.strictObject({
          command: z.enum(commandKinds),
          author: z.string().describe('login of who asked'),
          outcome: z.enum(['answered', 'failed', 'skipped', 'would-answer']),
          code: errorCode.optional().describe('why it failed'),
        }),
      ),
      ignored: count.describe('commands of people who may not push; they get no answer'),
      waiting: count.describe('commands that wait for another run'),
      dollars: z.number().nonnegative().optional(),
      warnings,
    }),
  ),
  grant: 'run',
  errors: [...runErrors, ...forgeErrors],
  run: async (request, context) => {
    const { answerPull } = await import('../review/pull/answer-pull.js');
    return answerPull(request, await pullModelContext('forge:answer', context));
  },
});

export const forgeDescribe = defineOperation({
  id: 'forge:describe',
  summary:
    'Describes a pull request: a title, a walkthrough by groups of files, a diagram where parts work together; written into a marked part of its description if asked to.',
  input: pullDescribeRequest,
  example: { pull: '42' },
  streams: true,
  output: answer<PullDescription>()(
    z.strictObject({
      number: count,
      url: z.string(),
      title: z.string(),
      text: z.string().describe('Markdown, as it stands in the marked part'),
      written: z.boolean().describe('whether it stands in the description of the pull request now'),
      described: z.strictObject({ files: count.describe('changed files it tells of'), of: count }),
      spent: spentAnswer,
      runs: runRecords.describe('one for each call'),
      receipts: callReceipts.describe('one for each call'),
      warnings,
    }),
  ),
  grant: 'run',
  errors: [...runErrors, ...forgeErrors],
  run: async (request, context) => {
    const { describePull } = await import('../review/pull/describe-pull.js');
    return describePull(request, await pullModelContext('forge:describe', context));
  },
});
