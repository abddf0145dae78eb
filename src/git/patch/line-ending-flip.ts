// Did a file only change its line ends? Tells the flip and what is left of the change without it.
import type { ParsedHunk } from './parse-patches.js';
import { hunkLines, type LineEndingFlip } from './patch.js';

export function detectFlip(hunks: readonly ParsedHunk[]): LineEndingFlip | undefined {
  let [added, removed, addedReturns, removedReturns] = [0, 0, 0, 0];
  for (const hunk of hunks) {
    added += hunk.added;
    removed += hunk.removed;
    addedReturns += hunk.addedReturns;
    removedReturns += hunk.removedReturns;
  }
  if (addedReturns === removedReturns || added === 0 || removed === 0) return undefined;
  const flipped = hunks.reduce((total, hunk) => total + flippedLines(hunk), 0);
  // A few converted lines are an edit; most of the change must be conversion.
  if (flipped * 2 < Math.max(added, removed)) return undefined;
  const toCrlf = addedReturns > removedReturns;
  return {
    from: toCrlf ? 'lf' : 'crlf',
    to: toCrlf ? 'crlf' : 'lf',
    flipped,
    added: added - flipped,
    removed: removed - flipped,
  };
}

function flippedLines(hunk: ParsedHunk): number {
  const waiting = new Map<string, number>();
  let flipped = 0;
  for (const line of hunkLines(hunk)) {
    if (line.kind === 'context') continue;
    const text = line.bytes.toString('latin1');
    const bare = text.endsWith('\r') ? text.slice(0, -1) : text;
    const ending = text.length - bare.length;
    if (line.kind === 'removed') {
      const key = `${ending}${bare}`;
      waiting.set(key, (waiting.get(key) ?? 0) + 1);
    } else {
      const key = `${1 - ending}${bare}`;
      const open = waiting.get(key) ?? 0;
      if (open === 0) continue;
      waiting.set(key, open - 1);
      flipped += 1;
    }
  }
  return flipped;
}
