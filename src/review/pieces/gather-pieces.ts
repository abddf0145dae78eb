// Everything of a change that will stand on pages: its pieces, weighed and put aside, what belongs together, and what linters said.

import { packPages } from '../../core/fit/pack-pages.js';
import type { Meter } from '../../core/model/meter.js';
import { groupBy } from '../change/group-by.js';
import { inPathOrder, type Omission } from '../change/omission.js';
import type { ReviewContext, ReviewProgress } from '../change/open-review.js';
import type { LinterFinding } from '../linters/linter-finding.js';
import { beyondPages, chooseHunks, chosenPatches, type FileFact, fileFact } from './choose-hunks.js';
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
  readonly onProgress?: ((progress: ReviewProgress) => void) | undefined;
}

export interface GatheredPieces {
  readonly pieces: readonly Piece[];
  readonly textStore: TempTextStore;
  /** Of the whole change, in the order of paths. */
  readonly omitted: readonly Omission[];
  /** Files that changed their line endings. */
  readonly flips: readonly string[];
  /** By path, for files that have company. */
  readonly affinities: ReadonlyMap<string, string>;
  readonly findings: readonly LinterFinding[];
}

export async function gatherPieces(opened: ReviewContext, options: GatherOptions): Promise<GatheredPieces> {
  const { request, kept, signal } = opened;
  const { capacity, onProgress } = options;
  const findings = await linterFindings(opened, options.folder);
  const related = new Map<string, LinkedFile>();
  let read = 0;
  const selected = await selectPieces(opened, {
    ...{ capacity, signal, meter: options.meter, room: options.room, write: options.write },
    maxPages: request.maxPages,
    importance: options.importance,
    lines: findings.length > 0,
    onText: ({ path, weight, parts }, text) => {
      read += 1;
      onProgress?.({ stage: 'reading', done: read, total: kept.length });
      if (parts === 1) related.set(path, { path, weight, imports: importsIn(text) });
    },
  });
  const { textStore, pieces, flips } = selected;
  try {
    const affinities = relate(await withWholeImports(opened, [...related.values()], capacity), capacity);
    const omitted = inPathOrder([...opened.omitted, ...selected.omitted]);
    return { pieces, textStore, omitted, flips, affinities, findings };
  } catch (error) {
    textStore.close();
    throw error;
  }
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
}

interface SelectedPieces {
  readonly pieces: readonly Piece[];
  readonly omitted: readonly Omission[];
  readonly flips: readonly string[];
  readonly textStore: TempTextStore;
}

/** All of them, or as much as a given number of pages holds, chosen hunk by hunk. */
async function selectPieces(
  { repository, kept }: Pick<ReviewContext, 'repository' | 'kept'>,
  { maxPages, importance, ...options }: SelectOptions,
): Promise<SelectedPieces> {
  const files: FileFact[] = [];
  let textStore = new TempTextStore();
  const run = (extra: Partial<MeasureOptions>) =>
    measurePieces(repository, kept, { ...options, textStore, ...extra });
  try {
    const onPatches: MeasureOptions['onPatches'] = (patches) => {
      files.push(fileFact(patches, options.meter, importance));
    };
    const all = await run(maxPages === undefined ? {} : { onPatches });
    if (maxPages === undefined || pagesOf(all.pieces, options) <= maxPages) return { ...all, textStore };
    // Packing wastes some room and pieces carry headers, so the wish shrinks until the pages suffice.
    for (const share of [1, 0.97, 0.94, 0.9, 0.85, 0.8, 0.7, 0.5, 0.25]) {
      const chosen = chooseHunks(files, options.capacity * maxPages * share);
      textStore.close();
      textStore = new TempTextStore();
      const some = await run({ choose: (patches) => chosenPatches(patches, chosen) });
      if (pagesOf(some.pieces, options) > maxPages) continue;
      const readable = files.filter(({ path }) => !some.omitted.some((omission) => omission.path === path));
      const beyond = beyondPages(readable, sentOf(some.pieces), maxPages);
      return { ...some, omitted: [...some.omitted, ...beyond], textStore };
    }
    textStore.close();
    textStore = new TempTextStore();
    const binaries = all.omitted;
    return {
      pieces: [],
      omitted: [...binaries, ...beyondPages(files, new Map(), maxPages)],
      flips: all.flips,
      textStore,
    };
  } catch (error) {
    textStore.close();
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
  const byPath = groupBy(pieces, ({ path }) => path);
  return new Map([...byPath].map(([path, list]) => [path, sumLines(list)]));
}
