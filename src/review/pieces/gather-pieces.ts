// Everything of a change that will stand on pages: its pieces, weighed and put aside, what belongs together, and what linters said.

import { packPages } from '../../core/fit/pack-pages.js';
import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import { hashText } from '../../meters/content-hash.js';
import { groupBy } from '../change/group-by.js';
import { inPathOrder, isAbridged, type Omission } from '../change/omission.js';
import type { ReviewContext, ReviewProgress } from '../change/open-review.js';
import type { LinterFinding } from '../linters/linter-finding.js';
import { beyondPages, chooseHunks, chosenPatches, type FileFact, fileFact } from './choose-hunks.js';
import { fillRoom } from './fill-room.js';
import type { LineImportance } from './line-importance.js';
import { type MeasureOptions, measurePieces } from './measure-pieces.js';
import { type Piece, type PieceWriter, sumLines } from './piece.js';
import { importsIn, type LinkedFile, relate, withWholeImports } from './relations.js';
import { TempTextStore } from './temp-text-store.js';

interface GatherOptions {
  /** Where relative paths of the request start. */
  readonly folder: string;
  readonly meter: Meter;
  /** Weight of the diff of one page, as git writes it. */
  readonly capacity: number;
  /** Weight of the diff of one page, as it reads there. */
  readonly room?: number | undefined;
  readonly write?: PieceWriter | undefined;
  readonly importance: LineImportance;
  /** Nothing but the diff wants the room of a page. */
  readonly diffAlone?: boolean | undefined;
  readonly onProgress?: ((progress: ReviewProgress) => void) | undefined;
}

export interface GatheredPieces {
  readonly pieces: readonly Piece[];
  readonly textStore: TempTextStore;
  /** Of the whole change, in the order of paths. */
  readonly omitted: readonly Omission[];
  /** Of the change itself. */
  readonly warnings: readonly Warning[];
  /** Files that changed their line endings. */
  readonly flips: readonly string[];
  /** By path, for files that have company. */
  readonly affinities: ReadonlyMap<string, string>;
  readonly findings: readonly LinterFinding[];
  /** Weight of the lightest part of the change, where not one of them found room. */
  readonly least?: number | undefined;
}

/** Is something left out for want of room, and if not, what does the change take of a single page? */
export function roomTaken(
  { pieces, omitted }: Pick<GatheredPieces, 'pieces' | 'omitted'>,
  capacity: number,
  room = capacity,
): { readonly isShort: boolean; readonly weight: number | undefined } {
  const isShort = omitted.some(({ rule }) => rule === 'pages' || rule === 'page-too-small');
  const weight = pieces.reduce((sum, { weight: own, blocks }) => {
    const load = blocks.reduce((total, block) => total + block.weight, 0);
    return sum + Math.max(own, load);
  }, 0);
  return { isShort, weight: weight <= Math.min(capacity, room) ? weight : undefined };
}

export async function gatherPieces(opened: ReviewContext, options: GatherOptions): Promise<GatheredPieces> {
  return relatePieces(opened, await readPieces(opened, options), options.capacity);
}

/** Everything but which files belong together, which depends on the capacity of a page. */
interface ReadPieces extends Omit<GatheredPieces, 'affinities'> {
  readonly linked: readonly LinkedFile[];
}

export async function readPieces(opened: ReviewContext, options: GatherOptions): Promise<ReadPieces> {
  const { request, kept, signal } = opened;
  const { capacity, onProgress } = options;
  const findings = await linterFindings(opened, options.folder);
  const related = new Map<string, LinkedFile>();
  let read = 0;
  const selected = await selectPieces(opened, {
    ...{ capacity, signal, meter: options.meter, room: options.room, write: options.write },
    maxPages: request.maxPages,
    importance: options.importance,
    diffAlone: options.diffAlone === true && findings.length === 0,
    lines: findings.length > 0,
    wholeData: request.wholeData,
    onText: ({ path, weight, parts }, text) => {
      read += 1;
      onProgress?.({ stage: 'reading', done: read, total: kept.length });
      if (parts === 1) related.set(path, { path, weight, imports: importsIn(text) });
    },
  });
  const { textStore, pieces, flips, shownAnyway } = selected;
  const pruned = opened.omitted.filter(({ path }) => !shownAnyway.has(path));
  const omitted = inPathOrder([...pruned, ...selected.omitted]);
  const warnings = shownAnyway.size === 0 ? opened.warnings : opened.spare.warningsBeside(shownAnyway);
  const { least } = selected;
  const linked = [...related.values()];
  return { pieces, textStore, omitted, warnings, flips, findings, linked, least };
}

export async function relatePieces(
  opened: ReviewContext,
  { linked, ...read }: ReadPieces,
  capacity: number,
): Promise<GatheredPieces> {
  try {
    const whole = linked.reduce((sum, { weight }) => sum + weight, 0);
    const files =
      whole <= capacity
        ? linked
        : await opened.recall(`imports ${hashText(JSON.stringify(linked))}`, () =>
            withWholeImports(opened, linked),
          );
    return { ...read, affinities: relate(files, capacity) };
  } catch (error) {
    read.textStore.close();
    throw error;
  }
}

/** Every file stands whole on a page of that capacity, so that what was read without any bound holds for it. */
export function areWhole({ pieces, omitted }: ReadPieces, { capacity, room = capacity }: Bounds): boolean {
  return (
    omitted.every(({ rule }) => rule !== 'page-too-small') &&
    pieces.every(
      ({ parts, weight, blocks }) =>
        parts === 1 && weight <= capacity && blocks.reduce((sum, block) => sum + block.weight, 0) <= room,
    )
  );
}

/** Readers of files that most reviews do not name are loaded when one does. */
async function linterFindings(
  { request, repository }: ReviewContext,
  folder: string,
): Promise<readonly LinterFinding[]> {
  if (request.linter === undefined || request.linter.length === 0) return [];
  const { readLinterFindings } = await import('../linters/read-linter-findings.js');
  return readLinterFindings(request.linter, { folder, topLevel: repository.topLevel });
}

interface SelectOptions extends Omit<MeasureOptions, 'textStore' | 'choose' | 'onPatches'> {
  readonly maxPages: number | undefined;
  readonly importance: LineImportance;
  readonly diffAlone: boolean;
}

interface SelectedPieces {
  readonly pieces: readonly Piece[];
  readonly omitted: readonly Omission[];
  readonly flips: readonly string[];
  readonly textStore: TempTextStore;
  /** Files that had been left out. */
  readonly shownAnyway: ReadonlySet<string>;
  readonly least?: number | undefined;
}

const nothing: ReadonlySet<string> = new Set();

/** All of them, or as much as a given number of pages holds, chosen hunk by hunk. */
async function selectPieces(
  { repository, kept, spare }: Pick<ReviewContext, 'repository' | 'kept' | 'spare'>,
  { maxPages, importance, diffAlone, ...options }: SelectOptions,
): Promise<SelectedPieces> {
  const files: FileFact[] = [];
  const measure = async (entries: typeof kept, extra: Partial<MeasureOptions>) => {
    const textStore = new TempTextStore();
    try {
      const measured = await measurePieces(repository, entries, { ...options, textStore, ...extra });
      return { ...measured, textStore, shownAnyway: nothing };
    } catch (error) {
      textStore.close();
      throw error;
    }
  };
  const onPatches: MeasureOptions['onPatches'] = (patches) => {
    files.push(fileFact(patches, options.meter, importance));
  };
  const all = await measure(kept, maxPages === undefined ? {} : { onPatches });
  if (maxPages === undefined) return all;
  const pages = pagesOf(all.pieces, options);
  if (pages <= maxPages) {
    // Context and linters are worth more than data: where they may come, half of each page stays theirs.
    const share = diffAlone ? 1 : 0.5;
    const bounds = { capacity: options.capacity * share, room: (options.room ?? options.capacity) * share };
    const { onText: _, ...again } = options;
    const filled = await fillRoom(all, {
      ...{ kept, spare: diffAlone ? spare.entries : [] },
      measure: (entries, extra) =>
        measurePieces(repository, entries, { ...again, ...extra, textStore: all.textStore }),
      fits: (pieces) => pagesOf(pieces, bounds) <= pages,
    });
    return { ...all, ...filled };
  }
  all.textStore.close();
  const priceOf = pricesOf(all.pieces, options);
  const take = (room: number) => {
    const chosen = chooseHunks(files, { room, meter: options.meter, priceOf });
    const entries = kept.filter(({ path }) => chosen.files.has(path));
    return measure(entries, { choose: (patches) => chosenPatches(patches, chosen) });
  };
  const some = await mostThatFits(
    { take, fits: ({ pieces }) => pagesOf(pieces, options) <= maxPages },
    options.capacity * maxPages,
  );
  const sent = sentOf(some?.pieces ?? []);
  const lost = new Map(
    [
      ...all.omitted.filter((one) => !sent.has(one.path) && !isAbridged(one)),
      ...(some?.omitted ?? []).filter((one) => !isAbridged(one)),
    ].map((one) => [one.path, one]),
  );
  const readable = files.filter(({ path }) => !lost.has(path));
  return {
    ...{ pieces: some?.pieces ?? [], flips: all.flips, textStore: some?.textStore ?? new TempTextStore() },
    shownAnyway: nothing,
    least:
      some === undefined || some.pieces.length === 0 ? leastOf(readable, options.meter, priceOf) : undefined,
    omitted: [
      ...lost.values(),
      ...(some?.omitted ?? []).filter(isAbridged),
      ...beyondPages(readable, sent, maxPages),
    ],
  };
}

interface Search {
  take(wish: number): Promise<SelectedPieces>;
  fits(some: SelectedPieces): boolean;
}

const maxTries = 9;
/** Of the capacity; closer is not worth another reading. */
const closeEnough = 0.005;

/** Packing wastes some room and pieces carry headers that are known only once written: the wish is narrowed down to what fits. */
async function mostThatFits({ take, fits }: Search, capacity: number): Promise<SelectedPieces | undefined> {
  let best: SelectedPieces | undefined;
  let low = 0;
  let high = capacity * 1.5;
  let wish = capacity;
  let isLast = true;
  try {
    for (let tries = 0; tries < maxTries && high - low > capacity * closeEnough; tries += 1) {
      const some = await take(wish);
      if (fits(some)) {
        best?.textStore.close();
        best = some;
        low = wish;
        isLast = true;
      } else {
        some.textStore.close();
        high = wish;
        isLast = false;
      }
      // A guess is seldom far off: near it first, then half of what is left.
      wish = tries === 0 ? (low > 0 ? low * 1.04 : high * 0.96) : low > 0 ? (low + high) / 2 : high * 0.85;
    }
    if (isLast || best === undefined) return best;
    // A writer remembers of each piece what it wrote last: that must be what is shown.
    best.textStore.close();
    best = undefined;
    return await take(low);
  } catch (error) {
    best?.textStore.close();
    throw error;
  }
}

/** Headers and notes of a cut are known only once written. */
const spare = 1.25;

function leastOf(
  files: readonly FileFact[],
  meter: Meter,
  priceOf: (path: string) => number,
): number | undefined {
  const weights = files.flatMap(({ path, head, hunks }) =>
    hunks.map(({ parts }) => (meter.weigh(head) + (parts[0]?.weight ?? 0)) * priceOf(path)),
  );
  return weights.length === 0 ? undefined : Math.ceil(Math.min(...weights) * spare);
}

type Bounds = Pick<SelectOptions, 'capacity' | 'room'>;

/** A page bounds the patch as git writes it and the blocks as they read; the narrower bound counts. */
function loadOnPage({ weight, blocks }: Piece, { capacity, room = capacity }: Bounds): number {
  const load = blocks.reduce((sum, block) => sum + block.weight, 0);
  return Math.max(weight, (load * capacity) / room);
}

/** In its blocks a line takes more of a page than in the patch; files differ in how much. */
function pricesOf(pieces: readonly Piece[], bounds: Bounds): (path: string) => number {
  const prices = new Map(
    [...groupBy(pieces, ({ path }) => path)].map(([path, own]) => {
      const sum = (pick: (piece: Piece) => number) => own.reduce((total, piece) => total + pick(piece), 0);
      return [
        path,
        sum((piece) => loadOnPage(piece, bounds)) /
          Math.max(
            1,
            sum(({ weight }) => weight),
          ),
      ];
    }),
  );
  return (path) => prices.get(path) ?? 1;
}

/** As the press will pack them: pieces of one file in order, the rest where it fits. */
function pagesOf(pieces: readonly Piece[], bounds: Bounds): number {
  const at = new Map(pieces.map(({ id }, index) => [id, index]));
  const items = pieces.map((piece) => {
    const { id, path, part, parts } = piece;
    const after = part > 1 ? at.get(`part ${part - 1}/${parts}:${path}`) : undefined;
    return { key: id, weight: loadOnPage(piece, bounds), ...(after === undefined ? {} : { after }) };
  });
  return packPages(items, bounds.capacity).count;
}

function sentOf(pieces: readonly Piece[]): Map<string, { added: number; removed: number }> {
  const byPath = groupBy(pieces, ({ path }) => path);
  return new Map(
    [...byPath].map(([path, list]) => [path, sumLines([...list, ...list.map(({ abridged }) => abridged)])]),
  );
}
