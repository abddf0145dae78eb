// Are the options of an engine what they should be? Asked where it is made, since callers in plain JavaScript learn it nowhere else.
import * as z from 'zod';
import { parseInput } from '../core/model/input.js';

const grants = ['read', 'write', 'inspect', 'run'] as const;
const isFunction = (value: unknown) => typeof value === 'function';
const anyFunction = z.custom(isFunction, 'must be a function').optional();

const engineOptions = z.strictObject({
  folder: z.string().min(1),
  store: z
    .custom(
      (value) => (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null),
      'must be the name of a file, ":memory:", or an open store',
    )
    .optional(),
  grants: z
    .custom<ReadonlySet<unknown>>(
      (value) => value instanceof Set && [...value].every((grant) => grants.includes(grant)),
      `must be a Set of ${grants.join(', ')}`,
    )
    .optional(),
  debug: z.boolean().optional(),
  log: anyFunction,
  model: z.custom(isFunction, 'must be a function that takes a name and gives a model').optional(),
  now: anyFunction,
  newId: anyFunction,
});

export function checkEngineOptions(options: unknown): void {
  parseInput(engineOptions, options);
}
