import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChangeSet } from '../changes/read-change-set.js';
import { openRepository, type Repository } from '../repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../testing/scratch-repository.js';
import { grepWords } from './grep-words.js';
import { listTree } from './tree-files.js';

let scratch: ScratchRepository;
let repository: Repository;

beforeAll(async () => {
  scratch = scratchRepository();
  scratch.write('src/a.ts', 'const total = sum(1);\nconst subtotal = total_sum;\n');
  scratch.write('src/weird\nname.ts', 'sum();\n');
  scratch.write('binary', Buffer.from('sum\0sum\n'));
  scratch.commit('one');
  scratch.write('src/b.ts', "import { sum } from './sum';\nsum(total);\n");
  scratch.write('src/a.ts', 'const total = sum(2);\nconst subtotal = total_sum;\n');
  scratch.commit('two');
  scratch.write('src/new.ts', 'sum(3);\n');
  repository = await openRepository(scratch.folder);
});

afterAll(async () => {
  await repository?.close();
  scratch?.dispose();
});

describe('the search for words', () => {
  it('finds whole words at a commit, one hit per word and line', async () => {
    const { hits, total } = await grepWords(repository, {
      words: ['sum', 'total', 'absent'],
      at: 'HEAD',
      limit: 100,
    });
    expect(hits.map(({ path, line, word }) => `${path}:${line} ${word}`)).toEqual([
      'src/a.ts:1 sum',
      'src/a.ts:1 total',
      'src/b.ts:1 sum',
      'src/b.ts:2 sum',
      'src/b.ts:2 total',
      'src/weird\nname.ts:1 sum',
    ]);
    expect(total).toBe(6);
    expect(hits[0]?.text).toBe('const total = sum(2);');
  });

  it('caps the hits and states the untruncated total', async () => {
    const { hits, total } = await grepWords(repository, { words: ['sum'], at: 'HEAD', limit: 1 });
    expect([hits.length, total]).toEqual([1, 4]);
  });

  it('searches the working tree with untracked files, a path, and a snapshot tree', async () => {
    const paths = ({ hits }: { hits: readonly { path: string }[] }) => hits.map(({ path }) => path);
    expect(paths(await grepWords(repository, { words: ['sum'], limit: 9 }))).toContain('src/new.ts');
    expect(paths(await grepWords(repository, { words: ['sum'], paths: ['src/b.ts'], limit: 9 }))).toEqual([
      'src/b.ts',
      'src/b.ts',
    ]);
    const { newTree } = await readChangeSet(repository, { mode: 'working' });
    expect(paths(await grepWords(repository, { words: ['sum'], at: newTree, limit: 9 }))).toContain(
      'src/new.ts',
    );
  });

  it('takes more words than one call holds, and words that look like options', async () => {
    const words = [...Array.from({ length: 120 }, (_, index) => `word${index}`), '--all', 'sum'];
    expect((await grepWords(repository, { words, at: 'HEAD~1', limit: 9 })).total).toBe(2);
  });

  it('refuses empty words and unknown commits', async () => {
    await expect(grepWords(repository, { words: [''], limit: 1 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(grepWords(repository, { words: ['a'], at: 'nope', limit: 1 })).rejects.toMatchObject({
      code: 'REVISION_NOT_FOUND',
    });
  });
});

describe('the list of a tree', () => {
  it('lists a tree with modes, blobs and sizes', async () => {
    expect(await listTree(repository, 'HEAD~1')).toEqual([
      { path: 'binary', mode: '100644', blob: scratch.git('rev-parse', 'HEAD~1:binary'), size: 8 },
      { path: 'src/a.ts', mode: '100644', blob: scratch.git('rev-parse', 'HEAD~1:src/a.ts'), size: 50 },
      {
        path: 'src/weird\nname.ts',
        mode: '100644',
        blob: scratch.git('rev-parse', 'HEAD~1:src/weird\nname.ts'),
        size: 7,
      },
    ]);
  });
});
