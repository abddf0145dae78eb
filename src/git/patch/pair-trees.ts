// Two small trees that hold the wanted pairs under numbered names: git compares exactly the contents we paired, in our order,
// whatever their paths are made of and however many there are.
import type { ChangeEntry } from '../changes/change-entry.js';
import { askGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';

export interface PairTrees {
  readonly oldTree: string;
  readonly newTree: string;
}

export async function writePairTrees(
  repository: Repository,
  entries: readonly ChangeEntry[],
  signal: AbortSignal | undefined,
): Promise<PairTrees> {
  const write = async (side: 'old' | 'new') => {
    const input = entries.flatMap((entry, index) => {
      const mode = side === 'old' ? entry.oldMode : entry.newMode;
      const blob = side === 'old' ? entry.oldBlob : entry.newBlob;
      if (mode === undefined || blob === undefined) return [];
      return [`${mode} ${mode === '160000' ? 'commit' : 'blob'} ${blob}\t${pairName(index)}\0`];
    });
    const tree = await askGit(repository.cleanRoom, ['mktree', '--missing', '-z'], {
      input: [input.join('')],
      signal,
    });
    return tree ?? '';
  };
  const [oldTree, newTree] = await Promise.all([write('old'), write('new')]);
  return { oldTree, newTree };
}

export function pairName(index: number): string {
  return String(index).padStart(9, '0');
}

/** Same content and a patch that cannot be made leave nothing for git to compare. */
export function isComparable(entry: ChangeEntry): boolean {
  if (entry.missing || (entry.oldBlob === undefined && entry.newBlob === undefined)) return false;
  if (entry.status === 'unmerged' && entry.newBlob === undefined) return false;
  return entry.oldBlob !== entry.newBlob || entry.status === 'type-changed';
}
