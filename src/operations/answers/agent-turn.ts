import * as z from 'zod';
import type { AssembledTurn } from '../../agents/assemble-turn.js';
import type { TurnAnswer } from '../../agents/run/run-turn.js';
import { answer } from './answer.js';
import { receipt, runRecords, usage } from './receipt.js';

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
