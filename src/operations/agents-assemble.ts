import * as z from 'zod';
import { assembleTurn } from '../agents/assemble-turn.js';
import { agentTypeOf, assemblerInput } from '../agents/assembler-input.js';
import { assembledTurn } from './answers/agent-turn.js';
import { defineOperation } from './operation.js';

export const agentsAssemble = defineOperation({
  id: 'agents:assemble',
  summary: 'Sets one turn for an agent CLI in its own dialect, within a byte budget.',
  input: assemblerInput.extend({ agentType: z.string().max(64) }),
  output: assembledTurn,
  grant: 'read',
  errors: ['CONTEXT_BUDGET_INFEASIBLE'],
  run: async ({ agentType, ...turn }) => assembleTurn(agentTypeOf(agentType), turn),
});
