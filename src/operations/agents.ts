// One turn of an agent CLI: set, or set and run. What runs agents is loaded when one is run.
import * as z from 'zod';
import { type AssembledTurn, assembleTurn, refuseLostMessage } from '../agents/assemble-turn.js';
import { agentTypeOf, assemblerInput, contentText } from '../agents/assembler-input.js';
import type { TurnAnswer } from '../agents/run/run-turn.js';
import { turnMeter } from '../agents/turn-meter.js';
import { shortReceipt } from '../core/seal/seal.js';
import { permissions } from '../models/contract/agent-event.js';
import { findRequest, findTokens, maxQuery } from '../review/find/find-request.js';
import { deedFields, takeAgentTurn } from './agent-turn.js';
import { defineOperation, modelErrors, type OperationContext, reviewErrors } from './operation.js';
import { answer } from './published-schema.js';
import { durationField, nameField } from './request-fields.js';
import { receipt } from './shared-answers.js';

const turnRequest = assemblerInput.extend({
  agentType: z.string().max(64),
  withCode: findTokens
    .optional()
    .describe(
      'tokens for code that code:find finds here for message and task; gives way before anything else',
    ),
});

type Turn = z.output<typeof turnRequest>;

/** The turn with what code:find found for it behind what the caller gave. */
async function withFoundCode<Given extends Pick<Turn, 'withCode' | 'code' | 'currentMessage' | 'teamTask'>>(
  { withCode, ...turn }: Given,
  { folder, signal }: Pick<OperationContext, 'folder' | 'signal'>,
): Promise<Omit<Given, 'withCode'>> {
  if (withCode === undefined) return turn;
  const { findCode, foundPieces } = await import('../review/find/find-code.js');
  const query = [contentText(turn.currentMessage), turn.teamTask ?? ''].join('\n').slice(0, maxQuery);
  if (query.trim() === '') return turn;
  const found = await findCode(findRequest.parse({ query, budget: { tokens: withCode } }), {
    folder,
    signal,
  });
  return { ...turn, code: [...(turn.code ?? []), ...foundPieces(found)] };
}

export const agentsAssemble = defineOperation({
  id: 'agents:assemble',
  summary: 'Sets one turn for an agent CLI in its own dialect, within a budget of bytes or tokens.',
  input: turnRequest.extend({
    ledger: z
      .boolean()
      .default(true)
      .describe('false: the receipt without its lines and spans; shorter, and under the same id'),
  }),
  example: {
    agentType: 'claude-code',
    contextMessages: [{ from: 'Ada', content: 'All tests pass.' }],
    currentMessage: 'What is left to do?',
  },
  output: answer<AssembledTurn>()(
    z.strictObject({
      prompt: z.string().describe('goes to the standard input of the agent'),
      systemFlag: z.string().optional().describe('goes where the agent takes system text'),
      receipt,
    }),
  ),
  grant: 'read',
  errors: ['CONTEXT_BUDGET_INFEASIBLE', ...reviewErrors],
  run: async ({ agentType: name, ledger, ...turn }, context) => {
    const agentType = agentTypeOf(name);
    const meter = await turnMeter(agentType, turn);
    const set = assembleTurn(agentType, await withFoundCode(turn, context), { meter });
    refuseLostMessage(set);
    return ledger ? set : { ...set, receipt: shortReceipt(set.receipt) };
  },
});

export const agentsRun = defineOperation({
  id: 'agents:run',
  summary: 'Sets one turn for an agent CLI and runs that CLI: its answer, with the receipt of what was sent.',
  input: turnRequest.extend({
    timeoutMs: durationField.optional(),
    firstByteTimeoutMs: durationField.optional(),
    /** System text by file in place of the CLI's own, and no tools where they can be switched off. */
    native: z.boolean().default(false),
    may: z
      .enum(permissions)
      .default('read')
      .describe('what the agent may do in the folder: look, change files too, run commands too'),
    resume: z
      .uuid()
      .optional()
      .describe('id of the session to go on with, as an earlier answer gave it; it stays kept'),
    keepSession: z
      .boolean()
      .default(false)
      .describe('whether the CLI keeps the session, so that it can be resumed'),
    model: z
      .string()
      .regex(/^[\w.:/@[\]][\w.:/@[\]-]{0,199}$/)
      .optional(),
    /** Whose receipts it is kept with; the one named after the folder when left out. */
    projectId: nameField.optional(),
  }),
  example: { agentType: 'claude-code', contextMessages: [], currentMessage: 'Say hello.' },
  streams: true,
  output: answer<TurnAnswer & { readonly turn?: string }>()(
    z.strictObject({
      answer: z.string(),
      ...deedFields,
    }),
  ),
  grant: 'run',
  errors: [
    ...new Set([
      'CONTEXT_BUDGET_INFEASIBLE',
      'FORBIDDEN',
      'NOT_FOUND',
      ...reviewErrors,
      ...modelErrors,
    ] as const),
  ],
  run: async ({ agentType: name, projectId, ...request }, context) => {
    const { timeoutMs, firstByteTimeoutMs, native, model, may, resume, keepSession, ...turn } = request;
    const { nameOfFolder } = await import('../writing/folder/project-folder.js');
    const order = {
      ...{ name, may, native, model, resume, keepSession, timeoutMs, firstByteTimeoutMs },
      input: await withFoundCode(turn, context),
      projectId: projectId ?? nameOfFolder(context.folder),
      operation: 'agents:run',
    };
    return takeAgentTurn(order, context);
  },
});
