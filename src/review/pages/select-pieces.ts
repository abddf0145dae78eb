// The pieces to send: all of them, or as much as a given number of pages holds, chosen hunk by hunk.
import { packPages } from '../../core/fit/pack-pages.js';
import type { ReviewRoom } from '../changes/review-room.js';
import type { Omission } from '../prune/omission.js';
import { sumLines } from './accounting.js';
import { beyondPages, chooseHunks, chosenPatches, type FileFact, fileFact } from './choose-hunks.js';
import { type MeasureOptions, measurePieces } from './measure-pieces.js';
import type { Piece } from './piece.js';
import { Spool } from './spool.js';
import type { Stakes } from './stakes.js';

export interface SelectOptions extends Omit<MeasureOptions, 'spool' | 'choose' | 'onPatches'> {
  readonly maxPages: number | undefined;
  readonly stakes: Stakes;
}

export interface SelectedPieces {
  readonly pieces: readonly Piece[];
  readonly omitted: readonly Omission[];
  readonly flips: readonly string[];
  readonly spool: Spool;
}

export async function selectPieces(
  { repository, kept }: Pick<ReviewRoom, 'repository' | 'kept'>,
  { maxPages, stakes, ...options }: SelectOptions,
): Promise<SelectedPieces> {
  const files: FileFact[] = [];
  let spool = new Spool();
  const run = (extra: Partial<MeasureOptions>) =>
    measurePieces(repository, kept, { ...options, spool, ...extra });
  try {
    const onPatches: MeasureOptions['onPatches'] = (patches) => {
      files.push(fileFact(patches, options.meter, stakes));
    };
    const all = await run(maxPages === undefined ? {} : { onPatches });
    if (maxPages === undefined || pagesOf(all.pieces, options) <= maxPages) return { ...all, spool };
    // Packing wastes some room and pieces carry headers, so the wish shrinks until the pages suffice.
    for (const share of [1, 0.97, 0.94, 0.9, 0.85, 0.8, 0.7, 0.5, 0.25]) {
      const chosen = chooseHunks(files, options.capacity * maxPages * share);
      spool.close();
      spool = new Spool();
      const some = await run({ choose: (patches) => chosenPatches(patches, chosen) });
      if (pagesOf(some.pieces, options) > maxPages) continue;
      const readable = files.filter(({ path }) => !some.omitted.some((omission) => omission.path === path));
      const beyond = beyondPages(readable, sentOf(some.pieces), maxPages);
      return { ...some, omitted: [...some.omitted, ...beyond], spool };
    }
    spool.close();
    spool = new Spool();
    const binaries = all.omitted;
    return {
      pieces: [],
      omitted: [...binaries, ...beyondPages(files, new Map(), maxPages)],
      flips: all.flips,
      spool,
    };
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** As the press will pack them: pieces of one file in order, the rest where it fits. */
function pagesOf(
  pieces: readonly Piece[],
  { capacity, room = capacity }: Pick<SelectOptions, 'capacity' | 'room'>,
): number {
  const at = new Map(pieces.map(({ id }, index) => [id, index]));
  const items = pieces.map(({ id, path, part, parts, weight, blocks }) => {
    const after = part > 1 ? at.get(`part ${part - 1}/${parts}:${path}`) : undefined;
    // A page bounds the patch as git writes it and the blocks as they read; the narrower bound counts.
    const load = blocks.reduce((sum, block) => sum + block.weight, 0);
    const narrower = Math.max(weight, (load * capacity) / room);
    return { key: id, weight: narrower, ...(after === undefined ? {} : { after }) };
  });
  return packPages(items, capacity).count;
}

function sentOf(pieces: readonly Piece[]): Map<string, { added: number; removed: number }> {
  const byPath = new Map<string, Piece[]>();
  for (const piece of pieces) byPath.set(piece.path, [...(byPath.get(piece.path) ?? []), piece]);
  return new Map([...byPath].map(([path, list]) => [path, sumLines(list)]));
}
