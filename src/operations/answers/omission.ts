import * as z from 'zod';
import { noun } from './noun.js';
import { count } from './numbers.js';

/** Lines that came and went. */
export const lineCounts = { added: count, removed: count };

const omission = noun(
  'Omission',
  z.strictObject({
    path: z.string(),
    reason: z.string(),
    rule: z.string().describe('id of the rule behind the reason'),
    ...lineCounts,
    partial: z.boolean().optional().describe('only some of its changed lines are left out'),
  }),
);

export const omissions = z.array(omission);

export const coverage = z.string().describe('one line: what is covered, and what is not');
