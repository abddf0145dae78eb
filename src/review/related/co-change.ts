// How often a file changed together with the visible ones before; small and recent commits say more.
import type { PastCommit } from './corpus-port.js';

const largestCommit = 60;
const halfLife = 60;

/** Scores of other paths; commits are counted newest first, each half-life of commits halves the weight. */
export function coChange(history: readonly PastCommit[], visible: ReadonlySet<string>): Map<string, number> {
  const scores = new Map<string, number>();
  history.forEach((commit, age) => {
    const size = commit.paths.length;
    if (size < 2 || size > largestCommit) return;
    const touched = commit.paths.filter((path) => visible.has(path)).length;
    if (touched === 0) return;
    const weight = (touched / Math.sqrt(visible.size) / Math.log2(1 + size)) * 2 ** (-age / halfLife);
    for (const path of commit.paths) scores.set(path, (scores.get(path) ?? 0) + weight);
  });
  return scores;
}
