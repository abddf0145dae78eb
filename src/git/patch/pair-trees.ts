// Two small trees that hold the wanted pairs under numbered names: git compares exactly the contents we paired, in our order,
// whatever their paths are made of and however many there are.
import type { ChangeEntry } from '../changes/change-entry.js';
import { askGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';

export interface PairTrees {
  readonly oldTree: string;
  readonly newTree: string;
}

/** Pages and plan ask for the same pairs, one after the other. */
const lastWritten = new WeakMap<Repository, { readonly input: string; readonly trees: PairTrees }>();

export async function writePairTrees(
  repository: Repository,
  entries: readonly ChangeEntry[],
  signal: AbortSignal | undefined,
): Promise<PairTrees> {
  // An empty record ends a tree, even one that holds nothing.
  const input = (['old', 'new'] as const).map((side) => `${recordsOf(entries, side).join('')}\0`).join('');
  const last = lastWritten.get(repository);
  if (last?.input === input) return last.trees;
  const made = await askGit(repository.cleanRoom, ['mktree', '--batch', '--missing', '-z'], {
    input: [input],
    signal,
  });
  const [oldTree = '', newTree = ''] = (made ?? '').split('\n');
  const trees = { oldTree, newTree };
  lastWritten.set(repository, { input, trees });
  return trees;
}

function recordsOf(entries: readonly ChangeEntry[], side: 'old' | 'new'): string[] {
  return entries.flatMap((entry, index) => {
    const mode = side === 'old' ? entry.oldMode : entry.newMode;
    const blob = side === 'old' ? entry.oldBlob : entry.newBlob;
    if (mode === undefined || blob === undefined) return [];
    return [`${mode} ${mode === '160000' ? 'commit' : 'blob'} ${blob}\t${pairName(index)}\0`];
  });
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
