// What came over a channel, as data and nothing else: a copy made without running anything of the sender's. Accessors, functions,
// instances of classes and keys that reach for prototypes are refused by the field they stand in.
import { GalleyError } from '../../core/model/error.js';
import { deepestNesting } from '../nesting.js';

/** Of one request, each value counting as one and as its text is long. What stands in two places counts twice. */
const maxUnits = 64 * 1024 * 1024;
const unitsOfValue = 32;

interface Place {
  readonly field: string;
  readonly depth: number;
  readonly left: { units: number };
}

export function plainData(value: unknown): unknown {
  return copy(value, { field: '', depth: 0, left: { units: maxUnits } });
}

function copy(value: unknown, place: Place): unknown {
  const { field, depth, left } = place;
  left.units -= unitsOfValue + (typeof value === 'string' ? value.length : 0);
  // A small message can stand for a huge one: channels carry what is shared only once.
  if (left.units < 0) throw tooLarge();
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (value === undefined && depth > 0) return value;
  if (typeof value !== 'object') throw refusal(field, 'is not plain data');
  if (depth > deepestNesting) throw refusal(field.slice(0, 80), 'is nested too deeply');
  return Array.isArray(value) ? copyList(value, place) : copyRecord(value, place);
}

function copyList(list: readonly unknown[], { field, depth, left }: Place): unknown[] {
  if (Object.getPrototypeOf(list) !== Array.prototype || Reflect.ownKeys(list).length !== list.length + 1) {
    throw refusal(field, 'is not a plain list');
  }
  return Array.from({ length: list.length }, (_, index) => {
    const property = Object.getOwnPropertyDescriptor(list, index);
    if (property === undefined || !('value' in property)) throw refusal(field, 'is not a plain list');
    return copy(property.value, { field: `${field}[${index}]`, depth: depth + 1, left });
  });
}

function copyRecord(record: object, { field, depth, left }: Place): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype !== null && prototype !== Object.prototype) throw refusal(field, 'is not a plain object');
  const result: Record<string, unknown> = {};
  for (const key of Reflect.ownKeys(record)) {
    if (typeof key === 'symbol' || key === '__proto__') throw refusal(field, 'has a key that is not allowed');
    const name = field === '' ? key.slice(0, 80) : `${field}.${key.slice(0, 80)}`;
    const property = Object.getOwnPropertyDescriptor(record, key);
    if (property === undefined || !('value' in property) || !property.enumerable) {
      throw refusal(name, 'is not plain data');
    }
    result[key] = copy(property.value, { field: name, depth: depth + 1, left });
  }
  return result;
}

function refusal(field: string, reason: string): GalleyError {
  const name = field || 'request';
  return new GalleyError('INVALID_ARGUMENT', `${name}: ${reason}.`, { details: { field: name } });
}

function tooLarge(): GalleyError {
  return new GalleyError('PAYLOAD_TOO_LARGE', 'The request holds too much; send less at once.', {
    details: { most: maxUnits },
  });
}
