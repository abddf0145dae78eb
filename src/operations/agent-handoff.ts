// A session of one agent CLI as one turn for another.
import * as z from 'zod';
import { assemblerInput } from '../agents/assembler-input.js';
import { type AskedNote, type Handoff, handOver } from '../agents/handoff/hand-over.js';
import type { FoundSession } from '../agents/sessions/find-sessions.js';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { builtInCatalog } from '../models/catalog/catalog.js';
import { cliName, homesOf, sessionReference } from './agent-sessions.js';
import { takeAgentTurn } from './agent-turn.js';
import { defineOperation, type OperationContext, reviewErrors } from './operation.js';
import { answer, count } from './published-schema.js';
import { durationField } from './request-fields.js';
import { receipt, warnings } from './shared-answers.js';

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
    ask: z
      .boolean()
      .default(false)
      .describe(
        'whether the agent that leaves writes a note, in one more turn of its session, in which it may only read; needs the grant "run" too',
      ),
    timeoutMs: durationField.optional().describe('for the note'),
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
          notes: count.describe('1 where the agent that leaves wrote one'),
        })
        .describe('what stands in the turn'),
      left: z
        .strictObject({
          results: count.describe('results of tools'),
          characters: count.describe('of these results'),
        })
        .describe('what a session holds that is never handed over'),
      asked: z
        .strictObject({
          inputTokens: count.optional(),
          outputTokens: count.optional(),
          dollars: z.number().optional(),
        })
        .optional()
        .describe('what the note cost, as far as its CLI tells'),
      warnings: warnings.describe('where the note is missing, or the session file is damaged'),
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
  run: async ({ ask: isAsked, timeoutMs, ...request }, context) => {
    if (isAsked && !context.grants.has('run'))
      throw new GalleyError('FORBIDDEN', 'ask: an agent is run for it, which needs the grant "run" too.', {
        details: { field: 'ask' },
      });
    const { folder, signal } = context;
    const catalog = (await context.prices?.()) ?? builtInCatalog;
    const ask = isAsked
      ? (session: FoundSession, question: string) => askForNote({ session, question, timeoutMs }, context)
      : undefined;
    return handOver({ ...request, ask, homes: homesOf(context), folder, signal, catalog });
  },
});

interface NoteOrder {
  readonly session: FoundSession;
  readonly question: string;
  readonly timeoutMs: number | undefined;
}

async function askForNote(
  { session, question, timeoutMs }: NoteOrder,
  context: OperationContext,
): Promise<AskedNote> {
  const { nameOfFolder } = await import('../writing/folder/project-folder.js');
  // What it says belongs to the turn that is set, not to whoever listens.
  const { onText: _, onEvent: __, ...silent } = context;
  const input = assemblerInput.parse({ contextMessages: [], currentMessage: question });
  const {
    answer: text,
    usage,
    cost,
  } = await takeAgentTurn(
    {
      ...{ name: session.cli, may: 'read', input, resume: session.id, timeoutMs },
      projectId: nameOfFolder(context.folder),
      operation: 'agents:handoff',
    },
    silent,
  );
  const dollars = cost?.dollars;
  return {
    text,
    cost: {
      ...(usage === undefined ? {} : { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
      ...(dollars === undefined ? {} : { dollars }),
    },
  };
}
