import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outline } from '../../code/outline.js';
import { shownRange, type VisibleHunk } from './change-query.js';
import { makeCorpus } from './corpus.js';
import { makeLexicon } from './lexicon.js';
import { type RankedPiece, rankPieces } from './rank-pieces.js';

type Files = Readonly<Record<string, string>>;

interface Asked {
  readonly files: Files;
  readonly hunks: readonly VisibleHunk[];
  readonly history?: readonly { time: number; paths: string[] }[];
}

async function ask({ files, hunks, history = [] }: Asked): Promise<RankedPiece[]> {
  const lexicon = makeLexicon();
  const corpus = makeCorpus(
    {
      paths: async () => Object.keys(files),
      read: async (paths) =>
        new Map(paths.filter((path) => path in files).map((path) => [path, files[path]!])),
      async outline(path, text) {
        const { symbols, imports } = await outline(path, text);
        return { symbols, imports: imports.map((line) => line.module) };
      },
      async grep(words) {
        return new Map(
          words.map((word) => [
            word,
            new Map(
              Object.entries(files)
                .map(
                  ([path, text]) =>
                    [path, text.split(/[^\w$]+/u).filter((one) => one === word).length] as const,
                )
                .filter(([, times]) => times > 0),
            ),
          ]),
        );
      },
      history: async () => history,
    },
    lexicon,
  );
  return rankPieces({ change: { hunks }, corpus, lexicon });
}

function textOf(files: Files, range: { path: string; startLine: number; endLine: number }): string {
  return files[range.path]!.split('\n')
    .slice(range.startLine - 1, range.endLine)
    .join('\n');
}

const filler = (name: string, lines = 8): string =>
  [
    `export function ${name}(input: string): string {`,
    ...Array.from({ length: lines }, (_, n) => `  step${n}(input);`),
    '  return input;',
    '}',
    '',
  ].join('\n');

const stranger = (name: string): string =>
  filler(name, 20).replaceAll('step', 'wander').replaceAll('input', 'sky');

const shop: Files = {
  'src/price.ts': `${filler('roundPrice')}\n${filler('addTax', 30)}\n${filler('farAway', 30)}`,
  'src/price.test.ts': "import { addTax } from './price.js';\nit('adds', () => {\n  addTax('1');\n});\n",
  'src/basket.ts': `import { addTax } from './price.js';\n${filler('weigh')}\nexport function total(items: string): string {\n  return addTax(items);\n}\n`,
  'src/unrelated/clock.ts': stranger('tick'),
  'src/unrelated/moon.ts': stranger('wane'),
};
const taxHunk: VisibleHunk = {
  path: 'src/price.ts',
  oldLines: ['  addTaxOld(input);'],
  newLines: ['  step4(input);'],
  newStart: 17,
};

describe('ranked pieces', () => {
  it('put the function around a hunk and the callers of what changed before strangers', async () => {
    const found = await ask({ files: shop, hunks: [taxHunk] });
    expect(found[0]?.path).toBe('src/price.ts');
    const caller = found.findIndex(
      (one) => one.path === 'src/basket.ts' && textOf(shop, one).includes('addTax(items)'),
    );
    expect(caller).toBeGreaterThanOrEqual(0);
    const unrelated = found.findIndex((one) => one.path.startsWith('src/unrelated'));
    expect(unrelated).toBeGreaterThan(caller);
  });

  it('hold what still mentions a removed name in another folder among the first', async () => {
    const files = {
      ...shop,
      'lib/other/bill.ts': `${filler('pay')}\nexport const bill = (): string => addTaxOld('9');\n`,
    };
    const found = await ask({ files, hunks: [taxHunk] });
    const stale = (one: RankedPiece) =>
      one.path === 'lib/other/bill.ts' && textOf(files, one).includes('addTaxOld');
    expect(found.slice(0, 10).some(stale)).toBe(true);
  });

  it('let history speak for a file that shares no word', async () => {
    const history = Array.from({ length: 5 }, (_, time) => ({
      time,
      paths: ['src/price.ts', 'src/unrelated/moon.ts'],
    }));
    const rank = async (with_: typeof history) =>
      (await ask({ files: shop, hunks: [taxHunk], history: with_ })).findIndex(
        (one) => one.path === 'src/unrelated/moon.ts',
      );
    const before = (await ask({ files: shop, hunks: [taxHunk] })).findIndex(
      (one) => one.path === 'src/unrelated/clock.ts',
    );
    expect(before).toBeGreaterThanOrEqual(0);
    const after = await rank(history);
    expect(after).toBeGreaterThanOrEqual(0);
    const clock = (await ask({ files: shop, hunks: [taxHunk], history })).findIndex(
      (one) => one.path === 'src/unrelated/clock.ts',
    );
    expect(after).toBeLessThan(clock);
  });

  it('are found without any readable changed file', async () => {
    const hunk: VisibleHunk = {
      path: 'docs/tax.md',
      oldLines: [],
      newLines: ['`addTax` rounds'],
      newStart: 1,
    };
    const found = await ask({ files: shop, hunks: [hunk] });
    expect(found.some((one) => textOf(shop, one).includes('addTax'))).toBe(true);
    expect(await ask({ files: {}, hunks: [hunk] })).toEqual([]);
    expect(await ask({ files: shop, hunks: [] })).toEqual([]);
  });

  it('break ties by path', async () => {
    const twin = filler('addTax', 6);
    const hunk: VisibleHunk = { path: 'notes.md', oldLines: [], newLines: ['addTax'], newStart: 1 };
    const one = await ask({ files: { 'lib/b.ts': twin, 'lib/a.ts': twin }, hunks: [hunk] });
    expect(one[0]?.path).toBe('lib/a.ts');
    expect(one.some(({ path }) => path === 'lib/b.ts')).toBe(true);
    expect(await ask({ files: { 'lib/a.ts': twin, 'lib/b.ts': twin }, hunks: [hunk] })).toEqual(one);
  });

  const word = fc.constantFrom('alpha', 'beta', 'gammaRay', 'delta_wave', 'omega');
  const line = fc.tuple(word, word, fc.nat(3)).map(([a, b, depth]) => `${'  '.repeat(depth)}${a}(${b});`);
  const body = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: line },
      { weight: 1, arbitrary: fc.constantFrom('', '}', '// 注释 😀') },
    ),
    { minLength: 1, maxLength: 60 },
  );
  const fileName = fc.constantFrom('a.ts', 'a.test.ts', 'b.ts', 'lib/c.py', 'lib/d.go', 'lib/e.txt');
  const world = fc
    .uniqueArray(fc.tuple(fileName, body), { minLength: 1, maxLength: 6, selector: ([name]) => name })
    .chain((entries) => {
      const files = Object.fromEntries(entries.map(([name, lines]) => [name, `${lines.join('\n')}\n`]));
      const hunk = fc
        .record({
          entry: fc.nat(entries.length - 1),
          start: fc.nat(59),
          count: fc.nat(4),
          old: fc.array(line, { maxLength: 3 }),
        })
        .map(({ entry, start, count, old }): VisibleHunk => {
          const [path, lines] = entries[entry]!;
          const first = Math.min(start, lines.length - 1);
          const newLines = lines.slice(first, first + count);
          return { path, oldLines: old, newLines, newStart: newLines.length === 0 ? first : first + 1 };
        });
      return fc.record({
        files: fc.constant(files),
        hunks: fc.array(hunk, { minLength: 1, maxLength: 4 }),
      });
    });

  it('never repeat a line or hold what the diff shows [bundle.once]', async () => {
    let filled = 0;
    await fc.assert(
      fc.asyncProperty(world, async ({ files, hunks }) => {
        const found = await ask({ files, hunks });
        const seen = new Set<string>();
        for (const one of found) {
          for (let at = one.startLine; at <= one.endLine; at += 1) {
            const mark = `${one.path}:${at}`;
            expect(seen.has(mark)).toBe(false);
            seen.add(mark);
            for (const hunk of hunks.filter((other) => other.path === one.path)) {
              const { first, last } = shownRange(hunk);
              expect(at < first || at > last).toBe(true);
            }
          }
          expect(one.endLine).toBeLessThanOrEqual(files[one.path]!.split('\n').length - 1);
        }
        if (found.length > 1) filled += 1;
      }),
      { numRuns: 150 },
    );
    expect(filled).toBeGreaterThan(30);
  });

  it('are the same whatever the order of files and hunks', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ files, hunks }) => {
        const shuffled = Object.fromEntries(Object.entries(files).toReversed());
        const there = await ask({ files, hunks });
        expect(await ask({ files: shuffled, hunks: hunks.toReversed() })).toEqual(there);
        expect(await ask({ files, hunks })).toEqual(there);
      }),
      { numRuns: 60 },
    );
  });
});
