import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchRepository } from '../git/testing/scratch-repository.js';
import { sharedStore } from './shared-store.js';

it('keeps the store of a repository out of its changes', async () => {
  const repository = scratchRepository();
  const shared = sharedStore(repository.folder);
  try {
    await shared.store();
    expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(await readFile(join(repository.folder, '.galley', '.gitignore'), 'utf8')).toContain('galley.db');
  } finally {
    await shared.close();
    repository.dispose();
  }
});
