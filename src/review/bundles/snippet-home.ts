// Which unit a snippet belongs to.
import { sharedFolders } from '../related/path-kinship.js';
import type { PlannedUnit } from './planned-unit.js';
import type { Snippet } from './snippet.js';

/** The nearest unit of the same file, else the unit whose file is closest. */
export function homeOf(snippet: Snippet, units: readonly PlannedUnit[]): PlannedUnit | undefined {
  let best: PlannedUnit | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const one of units) {
    const distance =
      one.unit.path === snippet.path
        ? linesBetween(one, snippet) / 1e9
        : 2 - sharedFolders(one.unit.path, snippet.path);
    if (distance < least) {
      least = distance;
      best = one;
    }
  }
  return best;
}

function linesBetween({ unit }: PlannedUnit, { startLine, endLine }: Snippet): number {
  let least = 1e8;
  for (const { kind, number, opposite } of unit.lines) {
    const line = kind === 'added' ? number : opposite;
    least = Math.min(least, line < startLine ? startLine - line : line > endLine ? line - endLine : 0);
  }
  return least;
}
