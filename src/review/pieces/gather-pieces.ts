// Everything of a change that will stand on pages: its pieces, weighed and put aside, what belongs together, and what linters said.

import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import { hashText } from '../../meters/content-hash.js';
import { inPathOrder, type Omission } from '../change/omission.js';
import type { ReviewContext, ReviewProgress } from '../change/open-review.js';
import type { LinterFinding } from '../linters/linter-finding.js';
import type { LineImportance } from './line-importance.js';
import type { Piece, PieceWriter } from './piece.js';
import { importsIn, type LinkedFile, relate, withWholeImports } from './relations.js';
import { type Bounds, selectPieces } from './select-pieces.js';
import type { TempTextStore } from './temp-text-store.js';

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
