// What came over a channel, as data and nothing else: a copy made without running anything of the sender's. Accessors, functions,
// instances of classes and keys that reach for prototypes are refused by the field they stand in.
import { GalleyError } from '../../core/model/error.js';

const deepest = 200;

export function plainData(value: unknown): unknown {
  return copy(value, '', 0);
}

function copy(value: unknown, field: string, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (value === undefined && depth > 0) return value;
  if (typeof value !== 'object') throw refusal(field, 'is not plain data');
  if (depth > deepest) throw refusal(field.slice(0, 80), 'is nested too deeply');
  return Array.isArray(value) ? copyList(value, field, depth) : copyRecord(value, field, depth);
}

function copyList(list: readonly unknown[], field: string, depth: number): unknown[] {
  if (Object.getPrototypeOf(list) !== Array.prototype || Reflect.ownKeys(list).length !== list.length + 1) {
    throw refusal(field, 'is not a plain list');
  }
  return Array.from({ length: list.length }, (_, index) => {
    const property = Object.getOwnPropertyDescriptor(list, index);
    if (property === undefined || !('value' in property)) throw refusal(field, 'is not a plain list');
    return copy(property.value, `${field}[${index}]`, depth + 1);
  });
}

function copyRecord(record: object, field: string, depth: number): Record<string, unknown> {
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
    result[key] = copy(property.value, name, depth + 1);
  }
  return result;
}

function refusal(field: string, reason: string): GalleyError {
  const name = field || 'request';
  return new GalleyError('INVALID_ARGUMENT', `${name}: ${reason}.`, { details: { field: name } });
}
