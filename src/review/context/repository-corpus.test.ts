import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { countWords } from './repository-corpus.js';

let scratch: ScratchRepository;
let repository: Repository;
const texts: Readonly<Record<string, string>> = {
  'a.ts': 'total(price); subtotal(price, prices); total\n',
  'copy.ts': 'total(price); subtotal(price, prices); total\n',
  'b.ts': 'const $el = 价格(价格, x价格); $el2; parse; parseQuery; parse_query\n',
  'binary.ts': 'total\0total\n',
};

beforeAll(async () => {
  scratch = scratchRepository();
  for (const [path, text] of Object.entries(texts)) scratch.write(path, text);
  for (let index = 0; index < 600; index += 1) scratch.write(`many/${index}.ts`, `only${index} every\n`);
  scratch.commit('all');
  repository = await openRepository(scratch.folder);
});

afterAll(async () => {
  await repository?.close();
  scratch?.dispose();
});

describe('counted words', () => {
  const filesOf = (...paths: string[]) =>
    new Map(paths.map((path) => [path, scratch.git('rev-parse', `HEAD:${path}`)]));

  it('are whole words, in every file that holds them and no binary one', async () => {
    const files = filesOf('a.ts', 'copy.ts', 'b.ts', 'binary.ts');
    const words = ['total', 'price', '$el', '价格', 'parse', 'parseQuery', 'nowhere'];
    const found = await countWords(repository, { words, files });
    expect(
      Object.fromEntries([...found].map(([word, places]) => [word, Object.fromEntries(places)])),
    ).toEqual({
      total: { 'a.ts': 2, 'copy.ts': 2 },
      price: { 'a.ts': 2, 'copy.ts': 2 },
      $el: { 'b.ts': 1 },
      价格: { 'b.ts': 2 },
      parse: { 'b.ts': 1 },
      parseQuery: { 'b.ts': 1 },
      nowhere: {},
    });
  });

  it('come from all files, however many, and an object that is not there is passed over', async () => {
    const files = filesOf(...Array.from({ length: 600 }, (_, index) => `many/${index}.ts`));
    files.set('gone.ts', '0'.repeat(40));
    const found = await countWords(repository, { words: ['every', 'only599'], files });
    expect(found.get('every')?.size).toBe(600);
    expect([...(found.get('only599') ?? [])]).toEqual([['many/599.ts', 1]]);
    expect(await countWords(repository, { words: [], files })).toEqual(new Map());
  });
});
