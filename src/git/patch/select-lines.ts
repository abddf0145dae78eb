// A subset of the hunks or changed lines as a patch that applies to the old side: what is not selected stays as it was.
import { isUtf8 } from 'node:buffer';
import { type FilePatch, type Hunk, hunkBody, hunkLines, type PatchHeader, type PatchLine } from './patch.js';

/**
 * Indexes count hunks of the patch and lines of the hunk from zero; context lines need not be selected. `marginOf` says how many of
 * them stay before and behind a hunk.
 */
export function selectLines(
  patch: FilePatch,
  wanted: (hunk: number, line: number) => boolean,
  marginOf: MarginOf = usualMargin,
): FilePatch {
  const complete = patch.hunks.every((hunk, hunkIndex) =>
    hunkLines(hunk).every(({ kind }, line) => kind === 'context' || wanted(hunkIndex, line)),
  );
  if (complete && patch.hunks.every((_, hunk) => marginOf(hunk) >= contextLines)) return patch;
  const hunks = projectHunks(patch, (hunk, line) => (wanted(hunk, line) ? 'now' : 'later'), marginOf);
  // Lines that stay keep their file alive.
  const staysAlive = !complete && patch.header.change === 'delete';
  return withHunks(patch, staysAlive ? asEdit(patch.header, 'old') : withoutIds(patch.header), hunks);
}

export function withHunks(patch: FilePatch, header: PatchHeader, hunks: readonly Hunk[]): FilePatch {
  return {
    entry: patch.entry,
    header,
    hunks,
    binary: patch.binary,
    added: hunks.reduce((total, { added }) => total + added, 0),
    removed: hunks.reduce((total, { removed }) => total + removed, 0),
    lossy: hunks.some(({ body }) => !isUtf8(body)),
  };
}

export function withoutIds({ ids: _, ...header }: PatchHeader): PatchHeader {
  return header;
}

/** The header of an edit in place, for a file that has its old or already its new name and mode. */
export function asEdit(header: PatchHeader, side: 'old' | 'new'): PatchHeader {
  const path = side === 'old' ? header.oldPath : header.newPath;
  const mode = side === 'old' ? header.oldMode : header.newMode;
  return {
    change: 'modify',
    oldPath: path,
    newPath: path,
    ...(mode === undefined ? {} : { oldMode: mode, newMode: mode }),
  };
}

type LineTime = 'before' | 'now' | 'later';
type LineTimeOf = (hunk: number, line: number) => LineTime;

interface Row {
  readonly line: PatchLine;
  readonly inOld: boolean;
  readonly inNew: boolean;
  /** Only a line end differs, because the line is the last one on one side. */
  readonly ending: boolean;
}

type MarginOf = (hunk: number) => number;

/** As git writes it. */
export const contextLines = 3;
const usualMargin: MarginOf = () => contextLines;

/**
 * A part of a patch as a patch of its own. Each changed line is applied before, applied now, or left for later; the old side is
 * the file after everything before, the new side the same with what is applied now. Context is cut to three lines as git does,
 * or to fewer.
 */
export function projectHunks(patch: FilePatch, turnOf: LineTimeOf, marginOf: MarginOf = usualMargin): Hunk[] {
  const projected: Hunk[] = [];
  let before = 0;
  let now = 0;
  patch.hunks.forEach((hunk, hunkIndex) => {
    const lines = hunkLines(hunk);
    const rows = arrange(lines, (line) => turnOf(hunkIndex, line));
    const oldFirst = (hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart) + before;
    for (const [from, to] of windows(rows, marginOf(hunkIndex)))
      projected.push(cut(rows, { from, to, oldFirst, shift: now, hunk }));
    // What is only counted goes with the last change before it.
    const last = lines.findLastIndex(({ kind }) => kind !== 'context');
    const turn = hunk.gap === undefined ? undefined : turnOf(hunkIndex, last);
    const gap = hunk.gap === undefined ? 0 : hunk.gap.added - hunk.gap.removed;
    lines.forEach((line, index) => {
      if (line.kind === 'context') return;
      const turn = turnOf(hunkIndex, index);
      const step = line.kind === 'added' ? 1 : -1;
      if (turn === 'before') before += step;
      else if (turn === 'now') now += step;
    });
    if (turn === 'before') before += gap;
    else if (turn === 'now') {
      now += gap;
      const end = projected.length - 1;
      if (projected[end] !== undefined) projected[end] = { ...projected[end], gap: hunk.gap! };
    }
  });
  return projected;
}

function arrange(lines: readonly PatchLine[], turnOf: (line: number) => LineTime): Row[] {
  const sides = lines.flatMap((line, index) => {
    if (line.kind === 'context') return [{ line, inOld: true, inNew: true }];
    const turn = turnOf(index);
    const gone = line.kind === 'removed' ? 'before' : 'later';
    if (turn === gone) return [];
    if (turn !== 'now') return [{ line, inOld: true, inNew: true }];
    return [{ line, inOld: line.kind === 'removed', inNew: line.kind === 'added' }];
  });
  const lastOld = sides.findLastIndex(({ inOld }) => inOld);
  const lastNew = sides.findLastIndex(({ inNew }) => inNew);
  return sides.flatMap(({ line, inOld, inNew }, index): Row[] => {
    // A line without a line end can only be the last of its side; elsewhere it must have got one.
    const openOld = inOld && line.noNewline && index === lastOld;
    const openNew = inNew && line.noNewline && index === lastNew;
    const removed: Row = {
      line: { ...line, kind: 'removed', noNewline: openOld },
      inOld: true,
      inNew: false,
      ending: false,
    };
    const added: Row = {
      line: { ...line, kind: 'added', noNewline: openNew },
      inOld: false,
      inNew: true,
      ending: false,
    };
    if (!inNew) return [removed];
    if (!inOld) return [added];
    if (openOld !== openNew)
      return [
        { ...removed, ending: true },
        { ...added, ending: true },
      ];
    return [{ line: { ...line, kind: 'context', noNewline: openOld }, inOld, inNew, ending: false }];
  });
}

/** Row ranges around the changes; changes with at most two contexts between them share one. */
function windows(rows: readonly Row[], margin: number): [number, number][] {
  const ranges: [number, number][] = [];
  // A line end alone is no reason for a hunk: without a change of this turn both sides are equal.
  rows.forEach((row, index) => {
    if (row.inOld && row.inNew) return;
    const last = ranges.at(-1);
    if (last !== undefined && index - last[1] <= contextLines * 2) last[1] = index + 1;
    else ranges.push([index, index + 1]);
  });
  return ranges.map(([from, to]) => [Math.max(0, from - margin), Math.min(rows.length, to + margin)]);
}

function cut(
  rows: readonly Row[],
  place: { from: number; to: number; oldFirst: number; shift: number; hunk: Hunk },
): Hunk {
  const ahead = rows.slice(0, place.from);
  const own = rows.slice(place.from, place.to);
  const count = (list: readonly Row[], pick: (row: Row) => boolean) => list.filter(pick).length;
  const oldFirst = place.oldFirst + count(ahead, ({ inOld }) => inOld);
  const newFirst = place.oldFirst + place.shift + count(ahead, ({ inNew }) => inNew);
  const oldCount = count(own, ({ inOld }) => inOld);
  const newCount = count(own, ({ inNew }) => inNew);
  return {
    oldStart: oldCount === 0 ? oldFirst - 1 : oldFirst,
    oldCount,
    newStart: newCount === 0 ? newFirst - 1 : newFirst,
    newCount,
    heading: place.hunk.heading,
    body: hunkBody(own.map(({ line }) => line)),
    added: count(own, ({ inOld, ending }) => !inOld && !ending),
    removed: count(own, ({ inNew, ending }) => !inNew && !ending),
  };
}
