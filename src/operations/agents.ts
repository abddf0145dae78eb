import * as z from 'zod';
import { agentTypeOf } from '../agents/agent-type.js';
import { type AssembledTurn, assembleTurn } from '../agents/assemble-turn.js';
import { assemblerInput } from '../agents/assembler-input.js';
import { agentModel } from '../agents/run/agent-model.js';
import { runTurn, type TurnAnswer } from '../agents/run/run-turn.js';
import { nameOfFolder } from '../writing/folder/project-of-folder.js';
import { defineOperation, modelErrors } from './operation.js';
import { answer } from './published-schema.js';
import { keepReceipt } from './receipts.js';
import { nameField } from './request-fields.js';
import { receipt, runRecords, usage } from './shared-answers.js';

export const finish = z.enum(['stop', 'length', 'unknown']).describe('why the model stopped');

export const assembledTurn = answer<AssembledTurn>()(
  z.strictObject({
    prompt: z.string().describe('goes to the standard input of the agent'),
    systemFlag: z.string().optional().describe('goes where the agent takes system text'),
    receipt,
  }),
);

export const turnAnswer = answer<TurnAnswer>()(
  z.strictObject({
    answer: z.string(),
    finish,
    usage: usage.optional(),
    model: z.string().optional(),
    runs: runRecords,
    receipt,
  }),
);

export const agentsAssemble = defineOperation({
  id: 'agents:assemble',
  summary: 'Sets one turn for an agent CLI in its own dialect, within a byte budget.',
  input: assemblerInput.extend({ agentType: z.string().max(64) }),
  output: assembledTurn,
  grant: 'read',
  errors: ['CONTEXT_BUDGET_INFEASIBLE'],
  run: async ({ agentType, ...turn }) => assembleTurn(agentTypeOf(agentType), turn),
});

const milliseconds = z.int().min(1).max(86_400_000);

export const agentsRun = defineOperation({
  id: 'agents:run',
  summary: 'Sets one turn for an agent CLI and runs that CLI: its answer, with the receipt of what was sent.',
  input: assemblerInput.extend({
    agentType: z.string().max(64),
    timeoutMs: milliseconds.optional(),
    firstByteTimeoutMs: milliseconds.optional(),
    /** System text by file in place of the CLI's own, and no tools where they can be switched off. */
    native: z.boolean().default(false),
    model: z
      .string()
      .regex(/^[\w.:/@[\]][\w.:/@[\]-]{0,199}$/)
      .optional(),
    /** Whose receipts it is kept with; the one named after the folder when left out. */
    projectId: nameField.optional(),
  }),
  output: turnAnswer,
  grant: 'run',
  errors: ['CONTEXT_BUDGET_INFEASIBLE', ...modelErrors],
  run: async (request, context) => {
    const {
      agentType: name,
      timeoutMs,
      firstByteTimeoutMs,
      native,
      model: wanted,
      projectId,
      ...turn
    } = request;
    const { signal, folder, onText } = context;
    const agentType = agentTypeOf(name);
    const options = { folder, native, model: wanted, timeoutMs, firstByteTimeoutMs };
    const { model, timeouts } = await agentModel(agentType, options);
    const catalog = await context.prices?.();
    const answered = await runTurn(agentType, turn, { model, timeouts, signal, native, catalog, onText });
    const { receipt, runs } = answered;
    const summary = { agentType, model: runs[0]?.model ?? model.id };
    const kept = { projectId: projectId ?? nameOfFolder(folder), operation: 'agents:run', receipt, summary };
    await keepReceipt(kept, context);
    return answered;
  },
});
