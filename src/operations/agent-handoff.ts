// A session of one agent CLI as one turn for another.
import * as z from 'zod';
import { type Handoff, handOver } from '../agents/handoff/hand-over.js';
import { textField } from '../core/model/input.js';
import { builtInCatalog } from '../models/catalog/catalog.js';
import { cliName, homesOf, sessionReference } from './agent-sessions.js';
import { defineOperation, reviewErrors } from './operation.js';
import { answer, count } from './published-schema.js';
import { receipt } from './shared-answers.js';

export const agentsHandoff = defineOperation({
  id: 'agents:handoff',
  summary:
    'Sets a session of one agent CLI as one turn for another: requests word for word, open plan, decisions as quotes, files with their diff.',
  input: z.strictObject({
    to: cliName.describe('which agent goes on'),
    session: sessionReference.optional(),
    budget: z
      .int()
      .min(200)
      .max(10_000_000)
      .optional()
      .describe('tokens of the turn at most; a quarter of the window of the one that goes on when left out'),
    model: textField(200).optional().describe('the model that will read it, for its window and its tokens'),
    message: textField(100_000).optional().describe('what is wanted now; to go on when left out'),
  }),
  example: { to: 'codex' },
  output: answer<Handoff>()(
    z.strictObject({
      from: z.strictObject({ cli: cliName, id: z.string() }).describe('the session'),
      to: cliName.describe('which agent goes on'),
      prompt: z.string().describe('the turn'),
      tokens: count.describe('of the turn'),
      counts: z
        .strictObject({
          requests: count.describe('of the user'),
          steps: count.describe('of the plan'),
          decisions: count.describe('quoted sentences'),
          files: count.describe('touched in the session'),
          messages: count.describe('of the agent'),
        })
        .describe('what stands in the turn'),
      left: z
        .strictObject({
          results: count.describe('results of tools'),
          characters: count.describe('of these results'),
        })
        .describe('what a session holds that is never handed over'),
      receipt,
    }),
  ),
  grant: 'inspect',
  errors: [
    ...new Set([
      'FORBIDDEN',
      'NOT_FOUND',
      'FILE_UNREADABLE',
      'CONTEXT_BUDGET_INFEASIBLE',
      'CONFIG_INVALID',
      ...reviewErrors,
    ] as const),
  ],
  run: async (request, context) => {
    const { folder, signal } = context;
    const catalog = (await context.prices?.()) ?? builtInCatalog;
    return handOver({ ...request, homes: homesOf(context), folder, signal, catalog });
  },
});
