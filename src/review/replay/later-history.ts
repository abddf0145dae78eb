// What became of a change on its branch, for as long as a fix of it may reasonably come. Commits are read once for all changes.

import { type TouchedFile, touchedBetween, touchedByCommits } from '../../git/mainline/touched-files.js';
import { findMergeBase } from '../../git/repository/branches.js';
import type { Repository } from '../../git/repository/open-repository.js';
import type { PastChange } from './find-changes.js';
import { type LaterFixes, laterFixes } from './later-places.js';

/** Whichever ends first. */
export const laterLimits = { days: 365, commits: 400 } as const;

const secondsOfDay = 86_400;

/** Ask for newer changes first: the older ones then find most of their commits read. */
export function laterHistory(
  repository: Repository,
  signal: AbortSignal,
): (change: PastChange) => Promise<LaterFixes> {
  const read = new Map<string, readonly TouchedFile[]>();
  return async ({ base, head, merged, mainline }) => {
    const at = mainline.findIndex(({ id }) => id === merged);
    if (at < 0) return { fixes: 0, places: [] };
    const end = mainline[at]!.time + laterLimits.days * secondsOfDay;
    const later = mainline
      .slice(Math.max(0, at - laterLimits.commits), at)
      .filter(({ time }) => time <= end)
      .reverse();
    const newest = later.findLast(({ id }) => !read.has(id));
    if (newest !== undefined) {
      const found = await touchedByCommits(
        repository,
        { after: mainline[at]!.id, upTo: newest.id },
        { signal },
      );
      for (const [id, files] of found) read.set(id, files);
    }
    const { commit: from } = await findMergeBase(repository, { base, head, signal });
    const [own, bridge] = await Promise.all([
      touchedBetween(repository, { from, to: head }, { signal }),
      touchedBetween(repository, { from: head, to: mainline[at]!.id }, { signal }),
    ]);
    return laterFixes({
      ...{ own, bridge },
      later: later.map((commit) => ({ ...commit, files: read.get(commit.id) ?? [] })),
    });
  };
}
