import { afterAll, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../git/testing/scratch-repository.js';
import { tortureRepository } from '../../git/testing/torture-repository.js';
import { reviewChanges } from './review-changes.js';
import { reviewRequest } from './review-request.js';

describe('the change set of every kind of entry', () => {
  const { repository, after, expected } = tortureRepository();
  afterAll(() => repository.dispose());

  it('has each entry once, right, and none that is not there [diff.entries]', async () => {
    const request = reviewRequest.parse({ repo: repository.folder, mode: 'commit', commit: after });
    const { entries, omitted } = await reviewChanges(request, { folder: repository.folder });
    const facts = entries.map(({ path, oldPath, status, kind, added, removed, binary }) =>
      JSON.stringify([path, oldPath, status, kind, binary ? 'binary' : [added, removed]]),
    );
    const wanted = expected.map(({ path, oldPath, status, kind = 'file', added, removed, binary }) =>
      JSON.stringify([path, oldPath, status, kind, binary ? 'binary' : [added, removed]]),
    );
    expect(facts.sort()).toEqual(wanted.sort());
    const left = new Set(omitted.map(({ path }) => path));
    for (const path of [
      'binary.bin',
      'binary-added.png',
      'made.gen',
      'sheet.nodiff',
      'data.blob',
      'long-line.js',
    ])
      expect(left.has(path)).toBe(true);
    const modified = entries.find(({ path }) => path === 'modified.txt');
    expect(modified?.hunks).toEqual([{ oldStart: 2, oldLines: 7, newStart: 2, newLines: 7 }]);
  });
});

describe('the modes of a change', () => {
  const repository = scratchRepository();
  afterAll(() => repository.dispose());

  it('see the branch, the index, the working tree and one commit [diff.modes]', async () => {
    repository.write('a.txt', 'a\n');
    const root = repository.commit('root');
    repository.git('checkout', '-q', '-b', 'topic');
    repository.write('b.txt', 'b\n');
    repository.commit('topic');
    repository.write('c.txt', 'c\n');
    repository.git('add', 'c.txt');
    repository.write('d.txt', 'd\n');
    const paths = async (request: object) => {
      const answer = await reviewChanges(reviewRequest.parse(request), { folder: repository.folder });
      return answer.entries.map(({ path }) => path);
    };
    expect(await paths({ mode: 'pr', base: 'main' })).toEqual(['b.txt']);
    expect(await paths({ mode: 'pr' })).toEqual(['b.txt']);
    expect(await paths({ mode: 'staged' })).toEqual(['c.txt']);
    expect(await paths({ mode: 'working' })).toEqual(['c.txt', 'd.txt']);
    expect(await paths({ mode: 'commit', commit: root })).toEqual(['a.txt']);
    expect(await paths({ mode: 'commit' })).toEqual(['b.txt']);
  });
});
