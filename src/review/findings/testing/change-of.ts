// Patches of a real change, made by real git, for tests.
import { readChangeSet } from '../../../git/changes/read-change-set.js';
import type { FilePatch } from '../../../git/patch/patch.js';
import { streamPatches } from '../../../git/patch/stream-patches.js';
import { openRepository } from '../../../git/repository/open-repository.js';
import { scratchRepository } from '../../../git/testing/scratch-repository.js';

export type Files = Readonly<Record<string, string | Buffer | undefined>>;

/** `undefined` removes a file. */
export async function changeOf(before: Files, after: Files): Promise<FilePatch[]> {
  const scratch = scratchRepository();
  const write = (files: Files) => {
    for (const [path, content] of Object.entries(files))
      if (content === undefined) scratch.remove(path);
      else scratch.write(path, content);
  };
  try {
    write(before);
    scratch.commit('before');
    write(after);
    scratch.commit('after');
    const repository = await openRepository(scratch.folder);
    const { entries } = await readChangeSet(repository, { mode: 'commit' });
    const patches: FilePatch[] = [];
    for await (const patch of streamPatches(repository, entries)) patches.push(patch);
    await repository.close();
    return patches;
  } finally {
    scratch.dispose();
  }
}
