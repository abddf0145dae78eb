// JSON with its keys in code-point order, so that the same value has the same text wherever it was kept in between.
import { byCodePoint } from './code-points.js';

export function canonicalJson(value: unknown): string {
  const names = new Set<string>();
  collect(value, names);
  // A list of names also gives their order, in every object; an empty one would leave out all.
  return JSON.stringify(value, names.size === 0 ? undefined : [...names].sort(byCodePoint)) ?? 'null';
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, names);
    return;
  }
  for (const name of Object.keys(value)) {
    names.add(name);
    collect((value as Record<string, unknown>)[name], names);
  }
}
