import * as z from 'zod';
import { agentTypeOf } from '../agents/agent-type.js';
import { assemblerInput } from '../agents/assembler-input.js';
import { agentModel } from '../agents/run/agent-model.js';
import { runTurn } from '../agents/run/run-turn.js';
import { turnAnswer } from './answers/agent-turn.js';
import { modelErrors } from './model-errors.js';
import { defineOperation } from './operation.js';

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
  }),
  output: turnAnswer,
  grant: 'run',
  errors: ['CONTEXT_BUDGET_INFEASIBLE', ...modelErrors],
  run: async (request, { signal, folder, onText }) => {
    const { agentType: name, timeoutMs, firstByteTimeoutMs, native, model: wanted, ...turn } = request;
    const agentType = agentTypeOf(name);
    const options = { folder, native, model: wanted, timeoutMs, firstByteTimeoutMs };
    const { model, timeouts } = await agentModel(agentType, options);
    return runTurn(agentType, turn, { model, timeouts, signal, native, onText });
  },
});
