import * as z from 'zod';
import type { MemoryItem } from '../../store/tables/memory.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { milliseconds, ratio } from './numbers.js';

export const memoryKind = z.enum(['semantic', 'episodic', 'working']);
export const memoryOrigin = z.enum(['caller', 'learned']);

const itemObject = noun(
  'MemoryItem',
  z.strictObject({
    id: z.string(),
    kind: memoryKind,
    text: z.string(),
    confidence: ratio,
    confirmed: z.boolean().describe('what was learned counts only then'),
    origin: memoryOrigin,
    createdAt: milliseconds,
  }),
);

export const memoryItem = answer<MemoryItem>()(itemObject);

export interface MemoryList {
  readonly memory: readonly MemoryItem[];
}

export const memoryItems = answer<MemoryList>()(z.strictObject({ memory: z.array(itemObject) }));
