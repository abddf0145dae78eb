import * as z from 'zod';
import type { Summary } from '../../store/tables/runs.js';
import { answer } from './answer.js';
import { milliseconds } from './numbers.js';

export const episode = answer<Summary>()(
  z.strictObject({
    id: z.string(),
    text: z.string(),
    createdAt: milliseconds,
    runId: z.string().optional(),
    skillId: z.string().optional(),
    documentId: z.string().optional(),
  }),
);
