// One piece of a patch that is cut into consecutive pieces: it applies on the result of the pieces before it. Only the lines
// around the piece are looked at, so that many pieces of a long hunk stay linear.
import {
  type FilePatch,
  type Hunk,
  hunkBody,
  type PatchHeader,
  type PatchLine,
} from '../../git/patch/patch.js';
import { asEdit, projectHunks, withHunks, withoutIds } from '../../git/patch/select-lines.js';

/** Lines of one hunk, [from, to). */
export interface LineRange {
  readonly hunk: number;
  readonly from: number;
  readonly to: number;
}

const contextLines = 3;

export interface OpenPatch {
  readonly patch: FilePatch;
  readonly lines: readonly (readonly PatchLine[])[];
}

/** Ranges are in order, cover every changed line, and pieces follow one another. */
export function cutPatch(open: OpenPatch, pieces: readonly (readonly LineRange[])[]): FilePatch[] {
  const shifts = { before: 0, hunk: 0 };
  return pieces.map((ranges, piece) => {
    const first = ranges[0]?.hunk ?? 0;
    for (; shifts.hunk < first; shifts.hunk += 1) {
      const hunk = open.patch.hunks[shifts.hunk];
      shifts.before += (hunk?.newCount ?? 0) - (hunk?.oldCount ?? 0);
    }
    const hunks = ranges.map((range) => windowOf(open, range));
    // Only the first range of a piece can start inside a hunk.
    const shift = shifts.before + (hunks[0]?.applied ?? 0);
    const projected = projectHunks(
      { ...open.patch, hunks: hunks.map(({ hunk }) => ({ ...hunk, oldStart: hunk.oldStart + shift })) },
      (hunk, line) => {
        const { from, to } = hunks[hunk]!;
        return line < from ? 'before' : line >= to ? 'later' : 'now';
      },
    );
    return withHunks(open.patch, pieceHeader(open.patch.header, piece, pieces.length), projected);
  });
}

/** The lines of a range with as many neighbours as its context can need, as a hunk of the original file. */
function windowOf({ patch, lines }: OpenPatch, { hunk: at, from, to }: LineRange) {
  const hunk = patch.hunks[at]!;
  const all = lines[at] ?? [];
  let start = from;
  for (let seen = 0; start > 0 && seen < contextLines; start -= 1)
    if (all[start - 1]?.kind !== 'removed') seen += 1;
  let end = to;
  for (let seen = 0; end < all.length && seen < contextLines; end += 1)
    if (all[end]?.kind !== 'added') seen += 1;
  let oldBefore = 0;
  let newBefore = 0;
  for (let index = 0; index < start; index += 1) {
    const kind = all[index]?.kind;
    if (kind !== 'added') oldBefore += 1;
    if (kind !== 'removed') newBefore += 1;
  }
  const own = all.slice(start, end);
  const oldCount = own.filter(({ kind }) => kind !== 'added').length;
  const firstOld = (hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart) + oldBefore;
  const mini: Hunk = {
    ...hunk,
    oldStart: oldCount === 0 ? firstOld - 1 : firstOld,
    oldCount,
    body: hunkBody(own),
  };
  return { hunk: mini, applied: newBefore - oldBefore, from: from - start, to: to - start };
}

function pieceHeader(header: PatchHeader, piece: number, pieces: number): PatchHeader {
  if (pieces === 1) return header;
  if (header.change === 'delete') return piece === pieces - 1 ? withoutIds(header) : asEdit(header, 'old');
  return piece === 0 ? withoutIds(header) : asEdit(header, 'new');
}
