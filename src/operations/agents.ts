// One turn of an agent CLI: set, or set and run. What runs agents is loaded when one is run.
import * as z from 'zod';
import { type AssembledTurn, assembleTurn } from '../agents/assemble-turn.js';
import { agentTypeOf, assemblerInput } from '../agents/assembler-input.js';
import type { TurnAnswer } from '../agents/run/run-turn.js';
import { GalleyError } from '../core/model/error.js';
import { permissions } from '../models/contract/agent-event.js';
import { defineOperation, modelErrors, type OperationContext, reviewErrors } from './operation.js';
import { answer } from './published-schema.js';
import { durationField, nameField } from './request-fields.js';
import { finish, receipt, runRecords, usage } from './shared-answers.js';

const turnRequest = assemblerInput.extend({
  agentType: z.string().max(64),
  withCode: z
    .int()
    .min(200)
    .max(200_000)
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
  const [{ findCode, foundPieces }, { findRequest }] = await Promise.all([
    import('../review/find/find-code.js'),
    import('../review/find/find-request.js'),
  ]);
  const task = [turn.currentMessage, turn.teamTask ?? ''].join('\n').slice(0, maxTask);
  if (task.trim() === '') return turn;
  const found = await findCode(findRequest.parse({ task, budget: withCode }), { folder, signal });
  return { ...turn, code: [...(turn.code ?? []), ...foundPieces(found)] };
}

const maxTask = 1_000_000;

export const agentsAssemble = defineOperation({
  id: 'agents:assemble',
  summary: 'Sets one turn for an agent CLI in its own dialect, within a byte budget.',
  input: turnRequest,
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
  run: async ({ agentType, ...turn }, context) =>
    assembleTurn(agentTypeOf(agentType), await withFoundCode(turn, context)),
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
      finish,
      usage: usage.optional(),
      model: z.string().optional(),
      refusals: z
        .array(
          z.strictObject({
            tool: z.string().describe('as the CLI calls it'),
            target: z.string().optional().describe('a path in the folder, or the command'),
          }),
        )
        .describe('what it wanted to do, may not do, and was not let do later in the turn'),
      filesChanged: z
        .array(
          z.strictObject({
            path: z.string().describe('relative to the folder'),
            change: z.enum(['created', 'changed', 'removed']),
          }),
        )
        .describe('by its file tools; what its commands changed it does not say'),
      session: z.string().optional().describe('to resume it by, where it was to be kept'),
      turn: z.string().optional().describe('to undo it by, with agents:undo; absent where it may only read'),
      cost: z
        .strictObject({ dollars: z.number() })
        .optional()
        .describe('as the CLI counts it; absent where it does not'),
      runs: runRecords,
      receipt,
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
  run: async (request, context) => {
    const { agentType: name, timeoutMs, firstByteTimeoutMs, native, model: wanted, ...rest } = request;
    const { projectId, may, resume, keepSession, ...turn } = rest;
    const { signal, folder, onText, onEvent } = context;
    if (may !== 'read' && !context.grants.has('write'))
      throw new GalleyError('FORBIDDEN', 'An agent that changes files needs the grant "write" too.');
    const [{ agentModel, runTurn, withInstructionFile }, { nameOfFolder }, { keepReceipt }] =
      await Promise.all([
        import('../agents/run/run-turn.js'),
        import('../writing/folder/project-folder.js'),
        import('./receipts.js'),
      ]);
    const agentType = agentTypeOf(name);
    const options = {
      folder,
      native,
      may,
      resume,
      keepSession,
      model: wanted,
      timeoutMs,
      firstByteTimeoutMs,
    };
    const { model, timeouts } = await agentModel(name, options);
    const catalog = await context.prices?.();
    const found = await withFoundCode(turn, context);
    const set = native ? found : await withInstructionFile(agentType, found, folder);
    const { undoable } = await import('../agents/undo/undoable.js');
    const answered = await undoable({ folder, may, by: name, now: context.now, signal, onEvent }, (tell) =>
      runTurn(agentType, set, { model, timeouts, signal, native, catalog, onText, onEvent: tell }),
    );
    const { receipt, runs } = answered;
    const summary = { agentType, model: runs[0]?.model ?? model.id };
    const kept = { projectId: projectId ?? nameOfFolder(folder), operation: 'agents:run', receipt, summary };
    await keepReceipt(kept, context);
    return answered;
  },
});
