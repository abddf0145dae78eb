import * as z from 'zod';
import { noun } from './noun.js';

const detail = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const warning = noun(
  'Warning',
  z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), detail).optional(),
  }),
);

export const warnings = z.array(warning);

/** Where an answer carries the sentences alone. */
export const warningMessages = z.array(z.string());
