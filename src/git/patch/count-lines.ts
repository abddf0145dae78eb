// How many lines did entries change that nobody will read? One call for all of them, without making patches.
import type { ChangeEntry } from '../changes/change-entry.js';
import { splitRecords } from '../process/records.js';
import { streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { isComparable, patchFlags, writePairTrees } from './stream-patches.js';

export interface LineCount {
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
}

/** By path; every entry has a count, zero where nothing can be compared. */
export async function countLines(
  repository: Repository,
  entries: readonly ChangeEntry[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Map<string, LineCount>> {
  const counts = new Map<string, LineCount>();
  for (const { path } of entries) counts.set(path, { added: 0, removed: 0, binary: false });
  const comparable = entries.filter(isComparable);
  if (comparable.length === 0) return counts;
  const { signal } = options;
  const { oldTree, newTree } = await writePairTrees(repository, comparable, signal);
  const args = ['diff-tree', '--numstat', '-z', ...patchFlags.slice(2), oldTree, newTree, '--'];
  for await (const records of splitRecords(streamGit(repository.cleanRoom, args, { signal })))
    for (const record of records) {
      const [added, removed, name] = record.toString('latin1').split('\t');
      const entry = comparable[Number(name)];
      if (entry === undefined) continue;
      counts.set(entry.path, {
        added: Number(added) || 0,
        removed: Number(removed) || 0,
        binary: added === '-',
      });
    }
  return counts;
}
