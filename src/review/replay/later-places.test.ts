import { describe, expect, it } from 'vitest';
import { someFinding } from '../findings/testing/some-finding.js';
import { type LaterStep, laterFixes, saysFix } from './later-places.js';
import { type Place, scoreFindings, shownPlaces } from './places.js';

describe('a commit that says it fixes something', () => {
  it.each([
    'fix: totals of unknown regions',
    'Fixes #12',
    'Revert "feat: totals"',
    'Bugfix in totals',
    'hotfix totals',
    'Totals crashed without regions',
    '修复未知地区的合计',
    '回滚合计',
  ])('is %s', (subject) => {
    expect(saysFix({ subject, title: '', parents: ['a'] })).toBe(true);
  });
  it.each([
    'feat: totals',
    'Prefix totals with a sign',
    'docs: fix the words',
    'chore(deps): fix versions',
    'Fix typo',
    'Fix lint',
    'fix mypy findings',
    'Fix type errors',
    '修复错别字',
    '增加合计',
  ])('is not %s', (subject) => {
    expect(saysFix({ subject, title: '', parents: ['a'] })).toBe(false);
  });
  it('is a merge whose title says so', () => {
    const subject = 'Merge pull request #7 from ada/totals';
    expect(saysFix({ subject, title: 'Fix totals', parents: ['a', 'b'] })).toBe(true);
    expect(saysFix({ subject, title: 'Totals', parents: ['a', 'b'] })).toBe(false);
  });
});

const hunk = (oldStart: number, oldCount: number, newStart: number, newCount: number) => ({
  ...{ oldStart, oldCount, newStart, newCount },
});
const file = (path: string, ...hunks: ReturnType<typeof hunk>[]) => ({ oldPath: path, newPath: path, hunks });
const step = (subject: string, ...files: LaterStep['files'][number][]): LaterStep => ({
  ...{ subject, title: '', parents: ['a'], files },
});
const own = [file('src/a.ts', hunk(9, 0, 10, 5))];
const at = (path: string, startLine: number, endLine = startLine): Place => ({
  ...{ kind: 'fix', side: 'new', path, startLine, endLine },
});

describe('places that were fixed later', () => {
  const later = (...steps: LaterStep[]) => laterFixes({ own, bridge: [], later: steps });

  it('are told by where they stood at the head, also in other files', () => {
    expect(
      later(
        step('Move', file('src/a.ts', hunk(0, 0, 1, 20)), file('src/b.ts', hunk(1, 3, 0, 0))),
        step('Fix', file('src/a.ts', hunk(32, 1, 32, 1)), file('src/b.ts', hunk(50, 2, 50, 4))),
      ),
    ).toEqual({ fixes: 1, places: [at('src/a.ts', 12), at('src/b.ts', 53, 54)] });
  });

  it('are not those of a fix that touches other lines', () => {
    expect(later(step('Fix', file('src/a.ts', hunk(20, 1, 20, 1))))).toEqual({ fixes: 0, places: [] });
    expect(later(step('Feature', file('src/a.ts', hunk(12, 1, 12, 1))))).toEqual({ fixes: 0, places: [] });
  });

  it('are not lines that came after the change', () => {
    expect(
      later(
        step('More', file('src/a.ts', hunk(11, 0, 12, 4))),
        step('Fix', file('src/a.ts', hunk(13, 2, 13, 2))),
      ),
    ).toEqual({ fixes: 0, places: [] });
  });

  it('begin beside a line that was put between', () => {
    expect(later(step('Fix', file('src/a.ts', hunk(14, 0, 15, 2)))).places).toEqual([at('src/a.ts', 14, 15)]);
  });

  it('are none in tests, documents and sweeps through the code', () => {
    const wide = Array.from({ length: 30 }, (_, n) => file(`src/f${n}.ts`, hunk(1, 1, 1, 1)));
    const tests = [file('src/a.test.ts', hunk(1, 1, 1, 1)), file('docs/a.md', hunk(1, 1, 1, 1))];
    expect(later(step('Fix all', file('src/a.ts', hunk(12, 1, 12, 1)), ...wide)).fixes).toBe(0);
    expect(later(step('Fix', file('src/a.ts', hunk(12, 1, 12, 1)), ...tests)).places).toEqual([
      at('src/a.ts', 12),
    ]);
  });

  it('are one for each stretch of lines', () => {
    const fix = step('Fix', file('src/a.ts', hunk(10, 1, 10, 1), hunk(13, 1, 13, 1)));
    // What the first fix wrote is not of the change any more.
    expect(later(fix, fix)).toEqual({ fixes: 1, places: [at('src/a.ts', 10), at('src/a.ts', 13)] });
    const far = later(
      step('Gone', file('src/a.ts', hunk(12, 6, 11, 0))),
      step('Fix', file('src/a.ts', hunk(11, 2, 11, 2))),
    );
    expect(far.places).toEqual([at('src/a.ts', 11), at('src/a.ts', 18)]);
  });
});

describe('places and what a reviewer sees and says', () => {
  const places = [at('src/a.ts', 10, 13), at('src/b.ts', 5)];

  it('are seen where half of their lines are, on their side', () => {
    const seen = (path: string, startLine: number, endLine: number, side: 'new' | 'old' = 'new') =>
      shownPlaces(places, [{ path, side, startLine, endLine }]).length;
    expect(seen('src/a.ts', 1, 11)).toBe(1);
    expect(seen('src/a.ts', 1, 10)).toBe(0);
    expect(seen('src/a.ts', 1, 99, 'old')).toBe(0);
    expect(seen('src/c.ts', 1, 99)).toBe(0);
  });

  it.each([
    [8, 1],
    [7, 0],
    [15, 1],
    [16, 0],
  ])('are met by a finding on line %i: %i', (line, met) => {
    const finding = someFinding({ path: 'src/a.ts', startLine: line, endLine: line });
    expect(scoreFindings([finding], places)).toEqual({ findings: 1, onPlaces: met, placesFound: met });
  });

  it('are not met by a finding without a line', () => {
    expect(
      scoreFindings([someFinding({ path: 'src/b.ts', startLine: 0, endLine: 0 })], places).onPlaces,
    ).toBe(0);
  });
});
