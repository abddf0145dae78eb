// Where a snippet belongs and which comes first over the whole answer.
import { byCodePoint } from '../../core/model/code-point-order.js';
import { sharedFolders } from '../related/path-kinship.js';
import type { RankedPiece } from '../related/rank-pieces.js';
import type { ContextPiece } from './context-pieces.js';
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

/** By the best ranked piece within; what ranking did not see keeps its order behind. */
export function inOrderOfWorth(
  placed: readonly ContextPiece[],
  pieces: readonly RankedPiece[],
): ContextPiece[] {
  const byPath = new Map<string, RankedPiece[]>();
  for (const piece of pieces) {
    const known = byPath.get(piece.path);
    if (known === undefined) byPath.set(piece.path, [piece]);
    else known.push(piece);
  }
  const worth = ({ path, side, startLine, endLine }: Snippet): number => {
    if (side === 'old') return 0;
    let best = 0;
    for (const piece of byPath.get(path) ?? [])
      if (piece.startLine <= endLine && piece.endLine >= startLine) best = Math.max(best, piece.score);
    return best;
  };
  const scored = placed.map((one, place) => ({ one, place, score: worth(one.snippet) }));
  scored.sort(
    (a, b) => b.score - a.score || a.place - b.place || byCodePoint(a.one.snippet.path, b.one.snippet.path),
  );
  return scored.map(({ one }, place) => ({ ...one, snippet: { ...one.snippet, rank: place + 1 } }));
}
