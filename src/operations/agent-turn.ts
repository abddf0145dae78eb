// One turn through an agent's own CLI, as every operation that lets an agent speak takes it: within what it may do, undoable, its
// receipt kept. What runs agents is loaded when one is run.
import * as z from 'zod';
import type { TurnNotes } from '../agents/assemble-turn.js';
import { type AssemblerInput, agentTypeOf } from '../agents/assembler-input.js';
import type { TurnAnswer } from '../agents/run/run-turn.js';
import { GalleyError } from '../core/model/error.js';
import type { Permission } from '../models/contract/agent-event.js';
import type { Model, Timeouts } from '../models/contract/model.js';
import type { OperationContext } from './operation.js';
import { finish, receipt, runRecords, usage } from './shared-answers.js';

/** What an agent did in a turn, and what it cost. */
export const deedFields = {
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
        change: z.enum(['created', 'changed', 'removed']).describe('what became of it'),
      }),
    )
    .describe('by its file tools; what its commands changed it does not say'),
  session: z.string().optional().describe('to resume it by, where it was to be kept'),
  turn: z
    .string()
    .optional()
    .describe('to undo it by, with agents:undo; absent where the agent may only read'),
  cost: z
    .strictObject({ dollars: z.number() })
    .optional()
    .describe('as the CLI counts it, or by the prices known here; absent where neither is known'),
  runs: runRecords,
  receipt,
};

export interface AgentTurnOrder {
  /** The agent, as the caller names it. */
  readonly name: string;
  readonly may: Permission;
  readonly native?: boolean;
  readonly input: AssemblerInput;
  readonly notes?: TurnNotes;
  readonly model?: string | undefined;
  readonly resume?: string | undefined;
  readonly keepSession?: boolean;
  readonly timeoutMs?: number | undefined;
  readonly firstByteTimeoutMs?: number | undefined;
  /** Answers in place of the agent's own CLI. */
  readonly answering?: { readonly model: Model; readonly timeouts: Timeouts } | undefined;
  /** The folder is thrown away afterwards, so nothing has to be kept for an undo. */
  readonly disposable?: boolean;
  readonly projectId: string;
  readonly operation: string;
  /** What the list of receipts says of it beside agent and model. */
  readonly summary?: Readonly<Record<string, string>>;
}

export async function takeAgentTurn(
  order: AgentTurnOrder,
  context: OperationContext,
): Promise<TurnAnswer & { readonly turn?: string }> {
  const {
    name,
    may,
    native = false,
    notes,
    projectId,
    operation,
    answering,
    disposable = false,
    ...rest
  } = order;
  if (may !== 'read' && !context.grants.has('write'))
    throw new GalleyError('FORBIDDEN', 'An agent that changes files needs the grant "write" too.');
  const [{ agentModel, runTurn, withInstructionFile }, { undoable }, { keepReceipt }, { keepRun }] =
    await Promise.all([
      import('../agents/run/run-turn.js'),
      import('../agents/undo/undoable.js'),
      import('./receipts.js'),
      import('./runs.js'),
    ]);
  const startedAt = context.now();
  const { signal, folder, onText, onEvent, now } = context;
  const { input, summary: said = {}, ...options } = rest;
  const { model, timeouts } = answering ?? (await agentModel(name, { ...options, folder, native, may }));
  const agentType = agentTypeOf(name);
  const catalog = await context.prices?.();
  const set = native || answering !== undefined ? input : await withInstructionFile(agentType, input, folder);
  const run = (tell: OperationContext['onEvent']) =>
    runTurn(agentType, set, {
      ...{ model, timeouts, signal, native, catalog, onText, onEvent: tell },
      ...notes,
    });
  // A model without tools changes nothing that would have to be kept.
  const answered =
    answering === undefined && !disposable
      ? await undoable({ folder, may, by: name, now, signal, onEvent }, run)
      : await run(onEvent);
  const summary = { agentType, ...said, model: answered.runs[0]?.model ?? model.id };
  await keepReceipt({ projectId, operation, receipt: answered.receipt, summary }, context);
  const { runs } = answered;
  await keepRun({ projectId, model: summary.model, runs }, { operation, startedAt }, context);
  return answered;
}
