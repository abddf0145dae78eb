// A patch cut into consecutive pieces, each of which applies on the result of the ones before it, and lines too long for any page
// cut down to the columns that changed. Only the lines around a piece are looked at, so that many pieces of a long hunk stay
// linear.
import {
  type FilePatch,
  type Hunk,
  hunkBody,
  hunkLines,
  lineShift,
  type PatchHeader,
  type PatchLine,
} from '../../git/patch/patch.js';
import { asEdit, projectHunks, withHunks, withoutIds } from '../../git/patch/select-lines.js';

/** Lines of one hunk, [from, to). */
export interface HunkLines {
  readonly hunk: number;
  readonly from: number;
  readonly to: number;
}

const contextLines = 3;

interface OpenPatch {
  readonly patch: FilePatch;
  readonly lines: readonly (readonly PatchLine[])[];
}

/** Ranges are in order, cover every changed line, and pieces follow one another. */
export function cutPatch(open: OpenPatch, pieces: readonly (readonly HunkLines[])[]): FilePatch[] {
  const shifts = { before: 0, hunk: 0 };
  return pieces.map((ranges, piece) => {
    const first = ranges[0]?.hunk ?? 0;
    for (; shifts.hunk < first; shifts.hunk += 1) {
      const hunk = open.patch.hunks[shifts.hunk];
      shifts.before += hunk === undefined ? 0 : lineShift(hunk);
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
function windowOf({ patch, lines }: OpenPatch, { hunk: at, from, to }: HunkLines) {
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
  const { gap, ...bare } = hunk;
  const mini: Hunk = {
    ...bare,
    ...(gap !== undefined && to === all.length ? { gap } : {}),
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

/** With over-long lines cut down: what is left is for reading and no longer applies. */
export interface WindowedPatch {
  readonly patch: FilePatch;
  readonly lines: readonly (readonly PatchLine[])[];
  /** For each hunk, which lines were cut down. */
  readonly windowed: readonly ReadonlySet<number>[];
}

/** Lines that are too long are shortened to about `most` bytes. */
export function windowLongLines(
  patch: FilePatch,
  isLong: (bytes: Buffer) => boolean,
  most: number,
): WindowedPatch {
  const lines = patch.hunks.map(hunkLines);
  const windowed = lines.map(() => new Set<number>());
  const shortened = lines.map((list, hunk) =>
    list.map((line, index) => {
      if (!isLong(line.bytes)) return line;
      windowed[hunk]?.add(index);
      return { ...line, bytes: windowAround(line.bytes, changedColumns(list, index), most) };
    }),
  );
  if (windowed.every(({ size }) => size === 0)) return { patch, lines, windowed };
  const hunks = patch.hunks.map((hunk, at): Hunk => ({ ...hunk, body: hunkBody(shortened[at] ?? []) }));
  return { patch: { ...patch, hunks }, lines: shortened, windowed };
}

interface Columns {
  readonly from: number;
  readonly to: number;
}

/** Where a changed line differs from its partner: the line at the same place in the other half of the same change. */
function changedColumns(list: readonly PatchLine[], index: number): Columns {
  const line = list[index]!;
  const partner = line.kind === 'context' ? undefined : partnerOf(list, index);
  if (partner === undefined) return { from: 0, to: line.kind === 'context' ? 0 : line.bytes.length };
  const shorter = Math.min(line.bytes.length, partner.bytes.length);
  let from = 0;
  while (from < shorter && line.bytes[from] === partner.bytes[from]) from += 1;
  let tail = 0;
  while (
    tail < shorter - from &&
    line.bytes[line.bytes.length - 1 - tail] === partner.bytes[partner.bytes.length - 1 - tail]
  )
    tail += 1;
  return { from, to: line.bytes.length - tail };
}

function partnerOf(list: readonly PatchLine[], index: number): PatchLine | undefined {
  const kind = list[index]?.kind;
  let start = index;
  while (start > 0 && list[start - 1]?.kind === kind) start -= 1;
  const place = index - start;
  if (kind === 'added') {
    let other = start;
    while (other > 0 && list[other - 1]?.kind === 'removed') other -= 1;
    return other + place < start ? list[other + place] : undefined;
  }
  let end = index;
  while (list[end]?.kind === 'removed') end += 1;
  return list[end + place]?.kind === 'added' ? list[end + place] : undefined;
}

function windowAround(bytes: Buffer, { from, to }: Columns, most: number): Buffer {
  const changed = to - from;
  const room = Math.max(32, most - 80);
  if (changed <= room) {
    const margin = Math.floor((room - changed) / 2);
    return shown(bytes, [[Math.max(0, from - margin), Math.min(bytes.length, to + margin)]]);
  }
  const half = Math.floor(room / 2);
  return shown(bytes, [
    [from, from + half],
    [to - half, to],
  ]);
}

function shown(bytes: Buffer, parts: readonly (readonly [number, number])[]): Buffer {
  const pieces: Buffer[] = [];
  let done = 0;
  for (const [start, end] of parts) {
    const from = characterStart(bytes, start);
    const to = characterStart(bytes, end);
    if (from > done) pieces.push(gap(from - done));
    pieces.push(bytes.subarray(from, to));
    done = to;
  }
  if (done < bytes.length) pieces.push(gap(bytes.length - done));
  return Buffer.concat(pieces);
}

function gap(count: number): Buffer {
  return Buffer.from(`[... ${count} bytes not shown ...]`);
}

/** The first byte of the character that holds the index. */
function characterStart(bytes: Buffer, index: number): number {
  let at = Math.min(index, bytes.length);
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
