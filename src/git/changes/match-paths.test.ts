import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRepository } from '../repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../testing/scratch-repository.js';
import { matchPaths } from './match-paths.js';
import { readChangeSet } from './read-change-set.js';

describe('pathspecs', () => {
  let scratch: ScratchRepository;
  afterEach(() => scratch.dispose());

  /** What git itself says lies in them, beside what we say. */
  async function both(pathspecs: readonly string[], below = '.') {
    const folder = join(scratch.folder, below);
    mkdirSync(folder, { recursive: true });
    const repository = await openRepository(scratch.folder);
    try {
      const change = await readChangeSet(repository, { mode: 'commit' });
      const ours = await matchPaths(repository, change, { pathspecs, folder });
      const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', 'HEAD~', 'HEAD', '--'];
      const theirs = scratch
        .raw([...args, ...pathspecs], { cwd: folder })
        .toString('utf8')
        .split('\0');
      return { ours: [...ours].sort(), theirs: theirs.filter((path) => path !== '').sort() };
    } finally {
      await repository.close();
    }
  }

  function changed(): void {
    scratch = scratchRepository();
    const files = [
      'src/a.ts',
      'src/deep/b.ts',
      'docs/one.md',
      'README.md',
      ':odd',
      'a*b.txt',
      'swap',
      '文/档.md',
    ];
    for (const file of files) scratch.write(file, 'before\n');
    scratch.commit('before');
    for (const file of files) if (file !== 'swap') scratch.write(file, 'after\n');
    scratch.remove('swap');
    scratch.write('swap/inside.txt', 'a file became a folder\n');
    scratch.commit('after');
  }

  it.each([
    [['src']],
    [['src/', ':!src/deep']],
    [['*.md', ':^docs']],
    [[':!docs']],
    [[':(icase)readme.MD']],
    [[':(literal)a*b.txt']],
    [['./:odd']],
    [['swap']],
    [['文']],
    [['nowhere']],
    [['--', '-x']],
  ])('mean what git means by %j [R25]', async (pathspecs) => {
    changed();
    const { ours, theirs } = await both(pathspecs);
    expect(ours).toEqual(theirs);
  });

  it('start at the folder one works in [R25]', async () => {
    changed();
    expect((await both(['.'], 'src/deep')).ours).toEqual(['src/deep/b.ts']);
    expect((await both([':/docs'], 'src')).ours).toEqual(['docs/one.md']);
  });

  it.each([[['../outside']], [[':(nonsense)x']]])(
    'that git refuses are refused: %j [R25]',
    async (pathspecs) => {
      changed();
      const repository = await openRepository(scratch.folder);
      const change = await readChangeSet(repository, { mode: 'commit' });
      await expect(
        matchPaths(repository, change, { pathspecs, folder: scratch.folder }),
      ).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        details: { field: 'paths' },
      });
      await repository.close();
    },
  );
});
