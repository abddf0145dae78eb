// How much of the working tree is in no commit? Asked where only commits are reviewed, so that nobody misses it there.
import { readGit } from '../../git/process/run-git.js';
import type { Repository } from '../../git/repository/open-repository.js';

/** A folder without any known file counts once, as git shows it. */
export async function uncommittedFiles({ topLevel, home }: Repository): Promise<number> {
  if (topLevel === undefined) return 0;
  // To see whether a submodule has changes of its own, git would start itself under the settings of the submodule.
  const inside = '--ignore-submodules=dirty';
  const asked = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', inside];
  const { output } = await readGit(home, asked);
  return output.toString('latin1').split('\0').length - 1;
}
