// What may be bound. Some bindings end the process or cut text on values they do not know, so all are checked here.
import { GalleyError } from '../../core/model/error.js';
import type { SqliteValue } from './connection.js';

export function boundValues(parameters: readonly unknown[]): SqliteValue[] {
  return parameters.map(boundValue);
}

function boundValue(value: unknown): SqliteValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  // A whole number bound as a float would compare and print as one.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return value;
  throw new GalleyError('INTERNAL', 'The store was handed a value it cannot keep.', {
    details: { type: typeof value },
  });
}
