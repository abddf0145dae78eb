import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FilePatch, hunkLines, lineText } from '../../git/patch/patch.js';
import { checkAnchors, type PlacedFinding } from './check-anchors.js';
import type { ReviewFinding } from './finding.js';
import { changeOf } from './testing/change-of.js';
import { someFinding } from './testing/some-finding.js';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `  const line${from + index} = read(${from + index});`);
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

// Hunks of a.ts on the new side: 7-13 (line 10 changed) and 37-44 (a line added behind 40).
const before = numbered(1, 60);
const after = [
  ...before.slice(0, 9),
  '  const changed = read(10) / total;',
  ...before.slice(10, 40),
  '  const added = total;',
  ...before.slice(40),
];

let patches: FilePatch[];

beforeAll(async () => {
  patches = await changeOf(
    {
      'a.ts': text(before),
      'gone.ts': text(numbered(301, 305)),
      'former.ts': text(numbered(100, 130)),
      'twice.ts': text(before),
      'image.png': Buffer.from([0, 1, 2, 3]),
      'latin.txt': Buffer.from('one\ntwo\nthree\n'),
      'still.ts': text(numbered(200, 230)),
    },
    {
      'a.ts': text(after),
      'gone.ts': undefined,
      'former.ts': undefined,
      'renamed.ts': text([...numbered(100, 114), '  const inserted = true;', ...numbered(115, 130)]),
      'twice.ts': text([
        ...before.slice(0, 20),
        '  retry(job);',
        ...before.slice(20, 23),
        '  retry(job);',
        ...before.slice(23),
      ]),
      'image.png': Buffer.from([0, 4, 5]),
      'latin.txt': Buffer.from('one\nzw\xf6lf\nthree\n', 'latin1'),
      'still.ts': undefined,
      'moved.ts': text(numbered(200, 230)),
      'new.ts': text(numbered(1, 4)),
    },
  );
});

const check = (changes: Partial<ReviewFinding>): PlacedFinding => {
  const [placed, ...more] = checkAnchors([someFinding({ path: 'a.ts', ...changes })], patches);
  expect(more).toEqual([]);
  return placed!;
};
const at = (startLine: number, endLine = startLine) => ({ startLine, endLine });
const where = ({ finding, place }: PlacedFinding) =>
  place.kind === 'summary'
    ? place.reason
    : `${finding.side} ${finding.startLine}-${finding.endLine} ${place.by}`;

describe('finding the place of a finding', () => {
  it('leaves a line inside a hunk where it is', () => {
    expect(where(check({ ...at(10) }))).toBe('new 10-10 given');
    expect(where(check({ ...at(7, 13) }))).toBe('new 7-13 given');
    expect(where(check({ ...at(10), evidence: 'const changed = read(10) / total;' }))).toBe(
      'new 10-10 given',
    );
  });

  it('finds a wrong line again by its quoted code', () => {
    expect(where(check({ ...at(25), evidence: '  const changed = read(10) / total;' }))).toBe(
      'new 10-10 quote',
    );
    expect(where(check({ ...at(0), evidence: 'const   added = total;' }))).toBe('new 41-41 quote');
    expect(
      where(check({ ...at(25), evidence: '+  const added = total;\n   const line41 = read(41);' })),
    ).toBe('new 41-42 quote');
    expect(where(check({ ...at(12), evidence: 'read(10) / total' }))).toBe('new 10-10 quote');
  });

  it('finds removed code on the old side', () => {
    expect(where(check({ ...at(10), evidence: 'const line10 = read(10);' }))).toBe('old 10-10 quote');
    expect(where(check({ ...at(10), side: 'old' }))).toBe('old 10-10 given');
  });

  it('shows unchanged lines of the old side as lines of the new side', () => {
    expect(where(check({ ...at(42), side: 'old' }))).toBe('new 43-43 side');
  });

  it('takes the nearest of several equal quotes, and none of two equally near', () => {
    const evidence = 'retry(job);';
    expect(where(check({ path: 'twice.ts', ...at(30), evidence }))).toBe('new 25-25 quote');
    expect(where(check({ path: 'twice.ts', ...at(2), evidence }))).toBe('new 21-21 quote');
    expect(where(check({ path: 'twice.ts', ...at(0), evidence }))).toBe('ambiguous-quote');
    expect(where(check({ path: 'twice.ts', ...at(23), evidence }))).toBe('new 23-23 given');
  });

  it('does not take a brace for evidence', () => {
    expect(where(check({ ...at(25), evidence: '}' }))).toBe('quote-not-found');
  });

  it('cuts a range that begins or ends outside, and refuses one that only spans', () => {
    expect(where(check({ ...at(10, 20) }))).toBe('new 10-13 clip');
    expect(where(check({ ...at(1, 9) }))).toBe('new 7-9 clip');
    expect(where(check({ ...at(12, 40) }))).toBe('new 12-13 clip');
    expect(where(check({ ...at(1, 60) }))).toBe('crosses-hunks');
  });

  it('says why something cannot be anchored', () => {
    expect(where(check({ ...at(25) }))).toBe('outside-hunks');
    expect(where(check({ ...at(25), evidence: 'nowhere(at, all)' }))).toBe('quote-not-found');
    expect(where(check({ ...at(0) }))).toBe('no-line');
    expect(where(check({ path: 'other.ts' }))).toBe('not-in-change');
    expect(where(check({ path: 'image.png' }))).toBe('no-lines');
    expect(where(check({ path: 'moved.ts' }))).toBe('no-lines');
  });

  it('knows files by the names of the diff and by their former names', () => {
    expect(check({ path: 'b/a.ts', ...at(10) }).finding.path).toBe('a.ts');
    const renamed = check({ path: 'former.ts', ...at(16) });
    expect(renamed.finding).toMatchObject({ path: 'renamed.ts', startLine: 16 });
    expect(renamed.finding.id).toBe(someFinding({ path: 'renamed.ts' }).id);
  });

  it('uses the only side a file has', () => {
    expect(where(check({ path: 'gone.ts', ...at(3) }))).toBe('old 3-3 side');
    expect(where(check({ path: 'new.ts', ...at(3), side: 'old' }))).toBe('new 3-3 side');
  });

  describe('suggestions', () => {
    const offer = (changes: Partial<ReviewFinding>, replacement = '  const changed = 1;', range = at(10)) =>
      check({ ...at(10), suggestion: { replacement, ...range }, ...changes });

    it('stay when they replace their whole range', () => {
      expect(offer({}).finding.suggestion).toEqual({ replacement: '  const changed = 1;', ...at(10) });
      expect(offer({}, '').finding.suggestion?.replacement).toBe('');
    });

    it('widen the remark to what they replace', () => {
      expect(offer({}, 'x', at(9, 11)).finding).toMatchObject({ ...at(9, 11), suggestion: at(9, 11) });
    });

    it('move with a remark that named the same lines', () => {
      const evidence = '  const changed = read(10) / total;';
      expect(offer({ ...at(12), evidence }, 'x', at(12)).finding).toMatchObject({
        ...at(10),
        suggestion: at(10),
      });
      expect(offer({ ...at(12), evidence }, 'x', at(9, 12))).toMatchObject({ lostSuggestion: 'other-range' });
    });

    it.each([
      ['old-side', { side: 'old' as const }],
      ['other-range', { ...at(9, 11) }],
      ['outside-hunk', {}, 'x', at(10, 30)],
      ['no-change', {}, '  const changed = read(10) / total;'],
      ['diff-signs', {}, '+  const changed = 1;\n+  const more = 2;'],
      ['left-out-code', {}, '  const changed = 1;\n  // ... rest of the function'],
      ['hidden-characters', {}, '  const changed = "\u202e";'],
      ['quote-not-found', { evidence: 'const unheard = of;' }],
      ['not-anchored', { path: 'other.ts' }],
      ['not-utf8', { path: 'latin.txt', ...at(2) }, 'two', at(2)],
    ])('are lost, and not the finding, for %s', (fault, changes, ...rest) => {
      const placed = offer(changes, ...(rest as [string?, ReturnType<typeof at>?]));
      expect(placed.lostSuggestion).toBe(fault);
      expect(placed.finding.suggestion).toBeUndefined();
      expect(placed.finding.message).toBe(someFinding().message);
    });
  });

  it('puts every finding in one place, and every anchor into one hunk of one side', () => {
    const lines = patches.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunkLines(hunk).map(lineText)));
    const evidence = fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      fc.constantFrom(...lines),
      fc.constantFrom(...lines).map((line) => `+ ${line.trim()}`),
      fc.nat(lines.length - 3).map((from) => lines.slice(from, from + 3).join('\n')),
      fc.string(),
    );
    const line = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 7, max: 13 }));
    const range = fc
      .tuple(line, fc.oneof(fc.nat(2), fc.nat(12)))
      .map(([start, length]) => at(start, start === 0 ? 0 : start + length));
    const finding = fc
      .record({
        path: fc.constantFrom(
          'a.ts',
          'a.ts',
          'a.ts',
          ...patches.map(({ entry }) => entry.path),
          'a/a.ts',
          'former.ts',
          'none.ts',
        ),
        side: fc.constantFrom('new' as const, 'old' as const),
        range,
        evidence,
        offered: fc.option(
          fc.tuple(fc.oneof(fc.constant(undefined), range), fc.constantFrom('', 'x', '  y();\n  z();')),
        ),
      })
      .map(({ range: where, offered, ...rest }) => {
        const [lines = where, replacement] = offered ?? [];
        const suggests = replacement !== undefined && lines.startLine > 0;
        return someFinding({
          ...rest,
          ...where,
          ...(suggests ? { suggestion: { ...lines, replacement } } : {}),
        });
      });
    const reached = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 12 }), (findings) => {
        const placed = checkAnchors(findings, patches);
        expect(placed.map((one) => one.finding.message)).toEqual(findings.map(({ message }) => message));
        for (const one of placed) {
          const kind = one.place.kind === 'anchored' ? one.place.by : one.place.reason;
          reached.set(kind, (reached.get(kind) ?? 0) + 1);
          if (one.place.kind === 'summary') {
            expect(one.finding.suggestion).toBeUndefined();
            continue;
          }
          const { path, side, startLine, endLine, suggestion } = one.finding;
          const inside = patches
            .filter(({ entry }) => entry.path === path)
            .flatMap(({ hunks }) => hunks)
            .filter((hunk) => {
              const [start, count] =
                side === 'new' ? [hunk.newStart, hunk.newCount] : [hunk.oldStart, hunk.oldCount];
              return start <= startLine && startLine <= endLine && endLine < start + count;
            });
          expect(inside).toHaveLength(1);
          if (suggestion === undefined) continue;
          reached.set('suggestion', (reached.get('suggestion') ?? 0) + 1);
          expect([side, suggestion.startLine, suggestion.endLine]).toEqual(['new', startLine, endLine]);
        }
      }),
      { numRuns: 400 },
    );
    for (const kind of [
      'given',
      'quote',
      'side',
      'clip',
      'suggestion',
      'outside-hunks',
      'quote-not-found',
      'no-lines',
    ])
      expect([kind, (reached.get(kind) ?? 0) > 10]).toEqual([kind, true]);
  });
});
