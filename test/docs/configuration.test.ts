// The reference of settings is generated from their schema, and names every variable the sources read. UPDATE_DOCS=1 writes it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reviewConfigSchema } from '../../src/review/change/review-config.js';

const file = 'docs/configuration.md';
const begin = '<!-- generated: keys of galley.config -->';
const end = '<!-- end -->';

interface KeySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly items?: KeySchema;
}

function typeOf({ type, enum: choices, minimum, items }: KeySchema): string {
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (items !== undefined) return `list of ${items.type === 'string' ? 'texts' : 'mappings'}`;
  return minimum === undefined ? String(type) : `${type}, ${minimum} or more`;
}

it('the reference of settings has every key of the schema', () => {
  const { properties } = reviewConfigSchema() as { properties: Record<string, KeySchema> };
  const rows = Object.entries(properties).map(
    ([key, schema]) => `| \`${key}\` | ${typeOf(schema)} | ${schema.description ?? ''} |`,
  );
  const table = [begin, '| key | value | what it does |', '|---|---|---|', ...rows, end].join('\n');
  const text = readFileSync(file, 'utf8');
  const whole = text.replace(new RegExp(`${begin}[\\s\\S]*${end}`), () => table);
  if (process.env.UPDATE_DOCS) writeFileSync(file, whole);
  expect(readFileSync(file, 'utf8')).toBe(whole);
  expect(whole).toContain(table);
});

it('the reference of settings has every variable of the environment', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'),
  );
  const text = readFileSync(file, 'utf8');
  const used = new Set(
    sources.flatMap((name) => readFileSync(join('src', name), 'utf8').match(/GALLEY_[A-Z_]+\b/g) ?? []),
  );
  expect([...used].filter((name) => !name.endsWith('_') && !text.includes(name))).toEqual([]);
});
