import * as z from 'zod';
import type { Constraint } from '../../store/tables/constraints.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count } from './numbers.js';

export const constraintKind = z.enum(['narrative', 'character', 'world', 'style', 'plot']);
export const constraintOrigin = z.enum(['user', 'knowledge', 'memory', 'project']);

const constraintObject = noun(
  'Constraint',
  z.strictObject({
    id: z.string(),
    kind: constraintKind,
    origin: constraintOrigin,
    priority: z.int().describe('higher stands first'),
    pinned: z.boolean(),
    text: z.string(),
    version: count,
  }),
);

export const constraint = answer<Constraint>()(constraintObject);

export interface ConstraintList {
  readonly constraints: readonly Constraint[];
}

export const constraintList = answer<ConstraintList>()(
  z.strictObject({ constraints: z.array(constraintObject) }),
);
