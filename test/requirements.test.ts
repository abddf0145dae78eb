// The manifest against the tests: nothing unproven that is not pending, nothing pending that is proven, no unknown id.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requirements } from './requirements.js';

const cited = new Map<string, string[]>();
for (const root of ['src', 'test']) {
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.test.ts')) continue;
    const file = join(root, entry);
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(
      /\[([a-z]+\.[a-z0-9.-]+)\](?=[^\n]{0,3}[`'"])/g,
    )) {
      cited.set(id, [...(cited.get(id) ?? []), file]);
    }
  }
}

const measured = new Set<string>();
for (const file of readdirSync('bench').filter((name) => name.endsWith('.ts'))) {
  for (const [, id = ''] of readFileSync(join('bench', file), 'utf8').matchAll(/\[([a-z]+\.[a-z0-9.-]+)\]/g))
    measured.add(id);
}

describe('requirements', () => {
  it('reads a fair number of citations', () => {
    expect(cited.size).toBeGreaterThan(5);
  });

  it('has every id once', () => {
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  });

  it('knows every cited id', () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect([...cited.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  it('has a test for every id that is not pending', () => {
    const unproven = requirements.filter(
      ({ id, proof, pending }) => proof === 'test' && !pending && !cited.has(id),
    );
    expect(unproven.map(({ id }) => id)).toEqual([]);
  });

  it('has a benchmark that names every id whose proof is one', () => {
    const unmeasured = requirements.filter(
      ({ id, proof, pending }) => proof === 'bench' && !pending && !measured.has(id),
    );
    expect(unmeasured.map(({ id }) => id)).toEqual([]);
  });
});
