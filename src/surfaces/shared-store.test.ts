import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scratchRepository } from '../git/testing/scratch-repository.js';
import { sharedStore, storePath } from './shared-store.js';

it.each(['', 'src/deep'])(
  'keeps the store of a repository out of its changes, also in "%s"',
  async (below) => {
    const repository = scratchRepository();
    const folder = join(repository.folder, below);
    await mkdir(folder, { recursive: true });
    const shared = sharedStore(folder);
    try {
      await shared.store();
      expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('');
      expect(await readFile(join(folder, '.galley', '.gitignore'), 'utf8')).toContain('galley.db');
    } finally {
      await shared.close();
      repository.dispose();
    }
  },
);

describe('where the store is', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('is in the folder where GALLEY_STORE is empty, as where it is unset', () => {
    vi.stubEnv('GALLEY_STORE', '');
    expect(storePath('novel', undefined)).toBe(join('novel', '.galley', 'galley.db'));
    vi.stubEnv('GALLEY_STORE', 'other.db');
    expect(storePath('novel', undefined)).toBe('other.db');
  });
});
