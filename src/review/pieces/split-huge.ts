// A file too large for a page becomes several pieces: cut at hunks, inside a hunk where a function begins, else between lines.
// Every piece is a patch that applies on the result of the one before, with a warning above it.
import type { Meter } from '../../core/model/meter.js';
import { type FilePatch, lineShift, type PatchLine } from '../../git/patch/patch.js';
import { printablePath } from '../change/safe-text.js';
import { abridgedLines } from './abridge-data.js';
import { cutPatch, type HunkLines, type WindowedPatch, windowLongLines } from './cut-patch.js';
import {
  changedSpans,
  type LineSum,
  type PieceSource,
  type PieceText,
  type PieceWriter,
  patchBytes,
  type Renumber,
} from './piece.js';

interface SplitOptions {
  readonly meter: Meter;
  /** Weight a piece may have as git writes it. */
  readonly capacity: number;
  /** Weight a piece may have in its blocks; the capacity where left out. */
  readonly room?: number | undefined;
  readonly write?: PieceWriter | undefined;
  /** Lines that show a part of themselves already. */
  readonly shortened?: number | undefined;
  /** Of the file, where only a part of it is sent. */
  readonly left?: LineSum | undefined;
  /** Where only a part of the change is sent. */
  readonly renumber?: Renumber | undefined;
  /** Lines of the new side (the old side of a deletion) on which something named begins. */
  readonly borders: ReadonlySet<number>;
}

/** Undefined when not even one line with its headers fits. */
export function splitHuge(patches: readonly FilePatch[], options: SplitOptions): PieceText[] | undefined {
  // Rough at first, then tighter: joins and context are only known once the pieces are written.
  for (const share of [0.9, 0.7, 0.5, 0.3, 0.15]) {
    const pieces = attempt(patches, options, share);
    if (pieces !== undefined) return pieces;
  }
  return undefined;
}

function attempt(
  patches: readonly FilePatch[],
  options: SplitOptions,
  share: number,
): PieceText[] | undefined {
  const { meter, capacity } = options;
  const overhead = meter.weigh(overheadOf(patches[0]!));
  const room = Math.floor((capacity - overhead) * share);
  if (room <= 0) return undefined;
  const tokens = Math.floor(room / meter.scale);
  const isLong = (bytes: Buffer) =>
    bytes.length > tokens && (bytes.length > tokens * 64 || meter.weigh(bytes.toString('utf8')) > room);
  const cuts = patches.map((patch) => {
    const open = windowLongLines(patch, isLong, Math.max(120, tokens));
    const ranges = withWholeEnd(open, rangesOf(open, { ...options, room }), options);
    return { open, ranges, pieces: ranges.length === 0 ? [patch] : cutPatch(open, ranges) };
  });
  const parts = cuts.reduce((sum, { pieces }) => sum + pieces.length, 0);
  const texts: PieceText[] = [];
  // Behind a piece that does not apply, no other of the file does.
  let applies = true;
  for (const { open, ranges, pieces } of cuts) {
    // Each piece applies on the result of those before it; its reader counts the lines of the whole change.
    let shift = 0;
    for (const [at, piece] of pieces.entries()) {
      const facts = { piece, part: texts.length + 1, parts, windowed: windowedIn(open, ranges[at]), shift };
      const text = partText(facts, options);
      if (text.weight > capacity || loadOf(text) > (options.room ?? capacity)) return undefined;
      applies &&= text.applicable;
      texts.push({ ...text, applicable: applies });
      for (const hunk of piece.hunks) shift += lineShift(hunk);
    }
  }
  return texts;
}

/** Weight of a piece as it will stand on its page. */
export function loadOf({ written }: Pick<PieceText, 'written'>): number {
  return written.reduce((sum, { weight }) => sum + weight, 0);
}

/** A piece in its blocks, everything weighed. */
export function pieceText(
  source: PieceSource,
  { meter, write }: Pick<SplitOptions, 'meter' | 'write'>,
): Omit<PieceText, 'changed' | 'windowedLines' | 'abridged'> {
  const { patches: _, left: __, ...facts } = source;
  const weight = meter.weigh(facts.text);
  if (write === undefined) return { ...facts, weight, written: [{ text: facts.text, weight }] };
  const written = write(source).map((block) => ({ ...block, weight: meter.weigh(block.text) }));
  return { ...facts, weight, written };
}

/**
 * The last two pieces of a deletion become one where that fits a page: on one page git would write the first one's result
 * after the second one's deletion.
 */
function withWholeEnd(
  open: WindowedPatch,
  ranges: HunkLines[][],
  { meter, capacity }: SplitOptions,
): HunkLines[][] {
  const [before, last] = [ranges.at(-2)?.[0], ranges.at(-1)?.[0]];
  if (open.patch.header.change !== 'delete' || before === undefined || last === undefined) return ranges;
  const merged = [...ranges.slice(0, -2), [{ ...before, to: last.to }]];
  const piece = cutPatch(open, merged).at(-1);
  if (piece === undefined) return ranges;
  const { weight } = partText({ piece, part: 9999, parts: 9999, windowed: 9999, shift: 0 }, { meter });
  return weight > capacity ? ranges : withWholeEnd(open, merged, { meter, capacity, borders: new Set() });
}

function overheadOf(patch: FilePatch): string {
  const bare = patchBytes({ ...patch, hunks: [] }).toString('utf8');
  const { path } = patch.entry;
  return `${warningHeader(path, { part: 9999, parts: 9999, windowed: 9999 })}${bare}--- a/${path}\t\n+++ b/${path}\t\n`;
}

function warningHeader(path: string, facts: { part: number; parts: number; windowed: number }): string {
  const { part, parts, windowed } = facts;
  const split =
    parts > 1
      ? `${printablePath(path)} is too large for one chunk: this is part ${part} of ${parts}.`
      : `${printablePath(path)} is too large for one chunk.`;
  const cut =
    windowed > 0 ? ` ${windowed} over-long line(s) show only their changed columns; do not apply.` : '';
  return `WARNING: ${split}${cut}\n`;
}

/** Above a patch with data that is shown in part. */
export function dataWarning(
  path: string,
  { added, removed, shortened }: { added: number; removed: number; shortened: number },
): string {
  const lines =
    added + removed === 0
      ? ''
      : ` ${added} added and ${removed} removed line(s) are counted where they stood.`;
  const cut = shortened === 0 ? '' : ` ${shortened} line(s) show only their ends.`;
  return `WARNING: data in ${printablePath(path)} is shown in part.${lines}${cut} Do not apply.\n`;
}

function partText(
  facts: { piece: FilePatch; part: number; parts: number; windowed: number; shift: number },
  options: Pick<SplitOptions, 'meter' | 'write' | 'renumber' | 'shortened' | 'left'>,
): PieceText {
  const { piece, part, parts, windowed, shift } = facts;
  const { path, oldPath } = piece.entry;
  const abridged = abridgedLines(piece.hunks);
  const shortened = options.shortened ?? 0;
  const isWhole = shortened + abridged.added + abridged.removed === 0;
  const data = isWhole ? '' : dataWarning(path, { ...abridged, shortened: part === 1 ? shortened : 0 });
  const warning = Buffer.from(`${warningHeader(path, { part, parts, windowed })}${data}`);
  const counted = piece.hunks.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart - shift }));
  const hunks = options.renumber?.(counted) ?? counted;
  const source: PieceSource = {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    part,
    parts,
    text: Buffer.concat([warning, patchBytes(piece)]).toString('utf8'),
    added: piece.added,
    removed: piece.removed,
    applicable: isWhole && windowed === 0 && !piece.lossy && piece.entry.status !== 'unmerged',
    patches: [{ ...piece, hunks }],
    left: options.left,
  };
  return {
    ...pieceText(source, options),
    windowedLines: windowed + (part === 1 ? shortened : 0),
    abridged,
    changed: changedSpans(hunks),
  };
}

/** Over-long lines of a piece, its context included. */
function windowedIn({ lines, windowed }: WindowedPatch, ranges: readonly HunkLines[] | undefined): number {
  let count = 0;
  for (const { hunk, from, to } of ranges ?? []) {
    for (const index of windowed[hunk] ?? []) {
      const isContext = lines[hunk]?.[index]?.kind === 'context';
      if (isContext ? index >= from - 6 && index < to + 6 : index >= from && index < to) count += 1;
      else if (index >= from - 3 && index < to + 3) count += 1;
    }
  }
  return count;
}

interface Filling {
  readonly options: SplitOptions & { readonly room: number };
  readonly pieces: HunkLines[][];
  open: HunkLines[];
  weight: number;
}

function rangesOf(open: WindowedPatch, options: SplitOptions & { room: number }): HunkLines[][] {
  const filling: Filling = { options, pieces: [], open: [], weight: 0 };
  open.lines.forEach((lines, hunk) => {
    const weights = lines.map((line) => options.meter.weigh(` ${line.bytes.toString('utf8')}\n`));
    const total = weights.reduce((sum, weight) => sum + weight, hunkHead(options.meter));
    if (filling.weight + total > options.room) close(filling);
    if (total <= options.room) {
      filling.open.push({ hunk, from: 0, to: lines.length });
      filling.weight += total;
    } else cutHunk(filling, { hunk, lines, weights, start: newStartOf(open.patch, hunk) });
  });
  close(filling);
  return filling.pieces;
}

function close(filling: Filling): void {
  if (filling.open.length > 0) filling.pieces.push(filling.open);
  filling.open = [];
  filling.weight = 0;
}

function hunkHead(meter: Meter): number {
  return meter.weigh(
    '@@ -100000,100000 +100000,100000 @@ export async function something(): Promise<void> {\n',
  );
}

function newStartOf({ hunks, header }: FilePatch, at: number): { line: number; skips: PatchLine['kind'] } {
  const hunk = hunks[at]!;
  return header.change === 'delete'
    ? { line: hunk.oldStart, skips: 'added' }
    : { line: hunk.newStart, skips: 'removed' };
}

interface LongHunk {
  readonly hunk: number;
  readonly lines: readonly PatchLine[];
  readonly weights: readonly number[];
  readonly start: { readonly line: number; readonly skips: PatchLine['kind'] };
}

function cutHunk(filling: Filling, { hunk, lines, weights, start }: LongHunk): void {
  const { room, borders, meter } = filling.options;
  const head = hunkHead(meter);
  const quality = cutQualities(lines, start, borders);
  const lastChange = lines.findLastIndex(({ kind }) => kind !== 'context');
  let from = 0;
  while (from < lines.length) {
    let to = from;
    let weight = head;
    let changes = 0;
    while (to < lines.length && (weight + (weights[to] ?? 0) <= room || changes === 0)) {
      weight += weights[to] ?? 0;
      if (lines[to]?.kind !== 'context') changes += 1;
      to += 1;
    }
    if (to > lastChange) to = lines.length;
    if (to < lines.length) to = bestCut({ from, to, quality, lines });
    filling.open.push({ hunk, from, to });
    close(filling);
    from = to;
  }
}

/** How good it is to cut before each line: 3 something named begins, 2 unchanged text, 1 between two changes, 0 inside one. */
function cutQualities(
  lines: readonly PatchLine[],
  start: LongHunk['start'],
  borders: ReadonlySet<number>,
): Uint8Array {
  const quality = new Uint8Array(lines.length + 1);
  let { line } = start;
  lines.forEach(({ kind }, index) => {
    const before = lines[index - 1]?.kind;
    const isInside = before === 'removed' && kind === 'added';
    if (kind !== start.skips && borders.has(line) && !isInside) quality[index] = 3;
    else if (kind === 'context' && before === 'context') quality[index] = 2;
    else if (before !== kind && !isInside) quality[index] = 1;
    if (kind !== start.skips) line += 1;
  });
  return quality;
}

/** The best cut in the second half of what fits; among equals the last. Each side must keep a changed line. */
function bestCut(place: {
  from: number;
  to: number;
  quality: Uint8Array;
  lines: readonly PatchLine[];
}): number {
  const { from, to, quality, lines } = place;
  let best = to;
  const firstChange = lines.findIndex(({ kind }, index) => index >= from && kind !== 'context');
  const least = Math.max(from + Math.ceil((to - from) / 2), firstChange + 1);
  for (let at = to; at >= least; at -= 1) if ((quality[at] ?? 0) > (quality[best] ?? 0)) best = at;
  return best;
}
