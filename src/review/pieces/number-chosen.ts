// Lines of a part of a change keep the numbers they have in the whole: what was left out before them moved them, too.
import { type FilePatch, type Hunk, hunkBody, hunkLines, lineShift } from '../../git/patch/patch.js';
import type { Renumber } from './piece.js';

/** Undefined where nothing before a hunk was left out. */
export function numberedAs(whole: readonly FilePatch[], chosen: readonly FilePatch[]): Renumber | undefined {
  // The two patches of a type change delete and create: nothing before their hunks was left out.
  if (whole.length !== 1 || chosen.length !== 1 || whole[0] === chosen[0]) return undefined;
  const moved = (hunks: readonly Hunk[], line: number) =>
    hunks.reduce((sum, hunk) => {
      const first = firstOf(hunk);
      const isBefore = first < line && first + hunk.oldCount <= line;
      return isBefore ? sum + lineShift(hunk) : sum;
    }, 0);
  const [all, some] = [whole[0]?.hunks ?? [], chosen[0]?.hunks ?? []];
  const changes = (hunks: readonly Hunk[]) => hunks.reduce((sum, each) => sum + each.added + each.removed, 0);
  const cut = all.filter((hunk) => changes(some.filter((part) => isWithin(part, hunk))) < changes([hunk]));
  return (hunks) =>
    hunks.map((hunk) => {
      const line = firstOf(hunk);
      const moves = { ...hunk, newStart: hunk.newStart + moved(all, line) - moved(some, line) };
      // Behind the cut stands the old text, which the new side need not have.
      return cut.some((whole) => isWithin(hunk, whole)) ? withoutTail(moves) : moves;
    });
}

function isWithin(part: Hunk, hunk: Hunk): boolean {
  const [first, line] = [firstOf(hunk), firstOf(part)];
  return line >= first && line <= first + Math.max(0, hunk.oldCount - 1);
}

/** Without the unchanged lines at its end. */
function withoutTail(hunk: Hunk): Hunk {
  const lines = hunkLines(hunk);
  const end = lines.findLastIndex(({ kind }) => kind !== 'context') + 1;
  const tail = lines.length - end;
  return {
    ...hunk,
    ...{ oldCount: hunk.oldCount - tail, newCount: hunk.newCount - tail },
    body: hunkBody(lines.slice(0, end)),
  };
}

function firstOf({ oldStart, oldCount }: Hunk): number {
  return oldCount === 0 ? oldStart + 1 : oldStart;
}
