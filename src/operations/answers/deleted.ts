import * as z from 'zod';
import { answer } from './answer.js';
import { noun } from './noun.js';

/** What is gone, by its id. */
export interface Deleted {
  readonly id: string;
  readonly deleted: true;
}

export const deleted = answer<Deleted>()(
  noun('Deleted', z.strictObject({ id: z.string(), deleted: z.literal(true) })),
);
