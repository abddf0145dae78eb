import { describe, expect, it } from 'vitest';
import { makeCorpus } from './corpus.js';
import { makeLexicon } from './lexicon.js';
import { rankFiles } from './rank-files.js';

const files: Record<string, string> = {
  'src/tax/rate.ts': 'export function vatRate(country) { return lookupVat(country); }\n',
  'src/tax/rate.test.ts': 'expectThing();\n',
  'src/cart.ts': 'const sum = vatRate(home) + lookupVat(home);\n',
  'src/clock.ts': 'export const tick = 1;\n',
  'docs/site/page.ts': 'export const page = 2;\n',
};

function ask(
  order: (paths: string[]) => string[],
  history: readonly { time: number; paths: string[] }[] = [],
) {
  const lexicon = makeLexicon();
  const corpus = makeCorpus(
    {
      paths: async () => order(Object.keys(files)),
      read: async (paths) =>
        new Map(paths.filter((path) => path in files).map((path) => [path, files[path]!])),
      outline: async () => ({ symbols: [], imports: [] }),
      grep: async (words) =>
        new Map(
          words.map((word) => [
            word,
            new Map(
              Object.entries(files)
                .filter(([, text]) => text.includes(word))
                .map(([path]) => [path, 1]),
            ),
          ]),
        ),
      history: async () => history,
    },
    lexicon,
  );
  return rankFiles({ paths: ['src/tax/rate.ts'], corpus, lexicon, limit: 3 });
}

describe('related files', () => {
  it('puts users and counterparts first, never the file itself', async () => {
    const found = await ask((paths) => paths);
    expect(
      found
        .map((file) => file.path)
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['src/cart.ts', 'src/tax/rate.test.ts']);
    expect(found).toHaveLength(3);
    expect(found.some((file) => file.path === 'src/tax/rate.ts')).toBe(false);
  });

  it('counts what changed together before, and says so', async () => {
    const found = await ask((paths) => paths, [{ time: 1, paths: ['src/tax/rate.ts', 'docs/site/page.ts'] }]);
    const page = found.find((file) => file.path === 'docs/site/page.ts');
    expect(page?.why).toBe('changed together before');
  });

  it('does not depend on the order of paths', async () => {
    expect(await ask((paths) => paths.toReversed())).toEqual(await ask((paths) => paths));
  });
});
