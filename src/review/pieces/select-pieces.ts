// The pieces of a change: all of them, or as much as a given number of pages holds, chosen hunk by hunk.
import { packPages } from '../../core/fit/pack-pages.js';
import type { Meter } from '../../core/model/meter.js';
import { groupBy } from '../change/group-by.js';
import { isAbridged, type Omission } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import { beyondPages, chooseHunks, chosenPatches, type FileFact, fileFact } from './choose-hunks.js';
import { fillRoom } from './fill-room.js';
import type { LineImportance } from './line-importance.js';
import { type MeasureOptions, measurePieces } from './measure-pieces.js';
import { type Piece, sumLines } from './piece.js';
import { TempTextStore } from './temp-text-store.js';

interface SelectOptions extends Omit<MeasureOptions, 'textStore' | 'choose' | 'onPatches'> {
  readonly maxPages: number | undefined;
  readonly importance: LineImportance;
  readonly diffAlone: boolean;
}

export interface SelectedPieces {
  readonly pieces: readonly Piece[];
  readonly omitted: readonly Omission[];
  readonly flips: readonly string[];
  readonly textStore: TempTextStore;
  /** Files that had been left out. */
  readonly shownAnyway: ReadonlySet<string>;
  readonly least?: number | undefined;
}

const nothing: ReadonlySet<string> = new Set();

export async function selectPieces(
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

export type Bounds = Pick<SelectOptions, 'capacity' | 'room'>;

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
