// The first pass: every patch is read once, weighed, cut if it is too large, and put aside; only small facts stay in memory.

import { outline } from '../../code/outline.js';
import type { Meter } from '../../core/model/meter.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import type { FilePatch } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { abridgedOmission, binaryOmission, type Omission } from '../change/omission.js';
import { abridgeData, abridgedLines } from './abridge-data.js';
import { numberedAs } from './number-chosen.js';
import {
  changedSpans,
  type LineSum,
  type Piece,
  type PieceSource,
  type PieceText,
  type PieceWriter,
  patchBytes,
  pieceId,
  type Renumber,
  sumLines,
} from './piece.js';
import { dataWarning, loadOf, pieceText, splitHuge } from './split-huge.js';
import type { TempTextStore } from './temp-text-store.js';

export interface MeasureOptions {
  readonly meter: Meter;
  /** Weight one piece may have as git writes it. */
  readonly capacity: number;
  /** Weight one piece may have in its blocks; the capacity where left out. */
  readonly room?: number | undefined;
  readonly write?: PieceWriter | undefined;
  readonly textStore: TempTextStore;
  readonly signal?: AbortSignal | undefined;
  /** Shows data whole that is long and tells little. */
  readonly wholeData?: boolean | undefined;
  /** Changed line numbers are remembered only when somebody asks for them. */
  readonly lines?: boolean;
  /** Sees each text once, for those who look for relations between files. */
  readonly onText?: (piece: Piece, text: string) => void;
  /** What to send of a file, when not all of it may be sent; nothing when none of it may. */
  readonly choose?: (patches: readonly FilePatch[]) => readonly FilePatch[];
  /** Sees every patch that will be sent, before it is cut. */
  readonly onPatches?: (patches: readonly FilePatch[]) => void;
}

export interface Measured {
  readonly pieces: readonly Piece[];
  readonly omitted: readonly Omission[];
  readonly flips: readonly string[];
}

export async function measurePieces(
  repository: Repository,
  entries: readonly ChangeEntry[],
  options: MeasureOptions,
): Promise<Measured> {
  const { meter, capacity, textStore, signal, onText } = options;
  const pieces: Piece[] = [];
  const omitted: Omission[] = [];
  const flips: string[] = [];
  for await (const raw of byEntry(streamPatches(repository, entries, { signal }))) {
    const { path } = raw[0]!.entry;
    const short = options.wholeData ? undefined : raw.map(abridgeData);
    const all =
      short === undefined || short.every(({ patch }, at) => patch === raw[at])
        ? raw
        : short.map(({ patch }) => patch);
    const shortened = short?.reduce((sum, one) => sum + one.shortened, 0) ?? 0;
    const patches = options.choose?.(all) ?? all;
    if (patches.length === 0) continue;
    if (patches.some(({ binary }) => binary)) {
      omitted.push(binaryOmission(path));
      continue;
    }
    if (patches.some(({ eolFlip }) => eolFlip !== undefined)) flips.push(path);
    options.onPatches?.(patches);
    const renumber = patches === all ? undefined : numberedAs(all, patches);
    const [every, chosen] = [sumLines(all), sumLines(patches)];
    const left = { added: every.added - chosen.added, removed: every.removed - chosen.removed };
    const whole = wholeText(patches, { ...options, renumber, shortened, left });
    const split = { meter, capacity, room: options.room, write: options.write, renumber, shortened, left };
    const texts =
      whole.weight <= capacity && loadOf(whole) <= (options.room ?? capacity)
        ? [whole]
        : splitHuge(patches, { ...split, borders: await bordersOf(repository, patches) });
    if (texts === undefined) {
      omitted.push(tooLarge(whole));
      continue;
    }
    for (const { written, text, ...facts } of texts) {
      const id = pieceId(facts);
      const changed = options.lines ? facts.changed : [];
      const blocks = written.map(({ text: words, ...block }) => ({
        ...block,
        place: textStore.write(Buffer.from(words)),
      }));
      const piece: Piece = { ...facts, changed, id, blocks };
      pieces.push(piece);
      onText?.(piece, text);
    }
    if (all !== raw) omitted.push(abridgedOmission(path, sumLines(texts.map(({ abridged }) => abridged))));
  }
  return { pieces, omitted, flips };
}

/** A type change comes as two patches in a row. */
async function* byEntry(patches: AsyncIterable<FilePatch>): AsyncGenerator<FilePatch[]> {
  let open: FilePatch[] = [];
  for await (const patch of patches) {
    if (open.length > 0 && open[0]?.entry !== patch.entry) {
      yield open;
      open = [];
    }
    open.push(patch);
  }
  if (open.length > 0) yield open;
}

function wholeText(
  patches: readonly FilePatch[],
  {
    meter,
    lines,
    write,
    renumber,
    shortened,
    left,
  }: Pick<MeasureOptions, 'meter' | 'lines' | 'write'> & {
    renumber: Renumber | undefined;
    shortened: number;
    left: LineSum;
  },
): PieceText {
  const abridged = abridgedLines(patches.flatMap(({ hunks }) => hunks));
  const isWhole = shortened + abridged.added + abridged.removed === 0;
  const { path, oldPath, status } = patches[0]!.entry;
  const bytes = Buffer.concat([
    ...(isWhole ? [] : [Buffer.from(dataWarning(path, { ...abridged, shortened }))]),
    ...patches.map(patchBytes),
  ]);
  const counted =
    renumber === undefined ? patches : patches.map((patch) => ({ ...patch, hunks: renumber(patch.hunks) }));
  const source: PieceSource = {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    part: 1,
    parts: 1,
    text: bytes.toString('utf8'),
    added: patches.reduce((sum, { added }) => sum + added, 0),
    removed: patches.reduce((sum, { removed }) => sum + removed, 0),
    applicable: isWhole && status !== 'unmerged' && !patches.some(({ lossy }) => lossy),
    patches: counted,
    left,
  };
  const changed = lines ? counted.flatMap(({ hunks }) => changedSpans(hunks)) : [];
  return { ...pieceText(source, { meter, write }), changed, windowedLines: shortened, abridged };
}

function tooLarge(whole: PieceText): Omission {
  return {
    path: whole.path,
    reason: 'no page is large enough for one of its lines',
    rule: 'page-too-small',
    ...sumLines([whole, whole.abridged]),
  };
}

/** Where something named begins, on the side that has the lines. */
async function bordersOf(
  repository: Repository,
  patches: readonly FilePatch[],
): Promise<ReadonlySet<number>> {
  const { entry } = patches.at(-1)!;
  const blob = entry.newBlob ?? entry.oldBlob;
  if (blob === undefined || entry.kind !== 'file') return new Set();
  const [size] = await repository.objects.ask('info', [blob]);
  if ((size?.size ?? 0) > 1_000_000) return new Set();
  const [found] = await repository.objects.ask('contents', [blob]);
  const { symbols } = await outline(entry.path, found?.bytes?.toString('utf8') ?? '');
  return new Set(symbols.map(({ startLine }) => startLine));
}
