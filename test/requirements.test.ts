// The manifest against the tests: nothing unproven that is not pending, nothing pending that is proven, no unknown id.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citedTests, citedTestsIn } from './cited-tests.js';
import { requirements } from './requirements.js';

const tests = citedTests();
const cited = new Set(tests.map(({ id }) => id));

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
    expect([...cited].filter((id) => !known.has(id))).toEqual([]);
  });

  it('has a test for every id that is not pending', () => {
    const unproven = requirements.filter(
      ({ id, proof, pending }) => proof === 'test' && !pending && !cited.has(id),
    );
    expect(unproven.map(({ id }) => id)).toEqual([]);
  });

  it('is proven by tests that assert something', () => {
    expect(tests.filter(({ asserts }) => !asserts).map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
  });

  it('sees a test that asserts nothing, and one whose helper asserts', () => {
    const text = [
      `const works = () => { expect(1).toBe(1); };`,
      `it('does nothing [some.id]', () => { run(); });`,
      `it('is looked at by another [some.id]', () => { works(); });`,
      `it('looks itself [some.id] [R1]', () => { expect(run()).toBe(1); });`,
    ].join('\n');
    expect(citedTestsIn('made-up.test.ts', text).map(({ asserts }) => asserts)).toEqual([false, true, true]);
  });

  it('has a benchmark that names every id whose proof is one', () => {
    const unmeasured = requirements.filter(
      ({ id, proof, pending }) => proof === 'bench' && !pending && !measured.has(id),
    );
    expect(unmeasured.map(({ id }) => id)).toEqual([]);
  });
});
