// Everything of a change that will stand on pages: its pieces, weighed and put aside, what belongs together, and what linters said.
import type { Meter } from '../../core/model/meter.js';
import type { ReviewRoom } from '../changes/review-room.js';
import type { Finding } from '../linters/finding.js';
import { inPathOrder } from '../prune/binary-omission.js';
import type { Omission } from '../prune/omission.js';
import type { Piece, PieceWriter } from './piece.js';
import { importsIn, type RelatedFile, relate } from './relations.js';
import { selectPieces } from './select-pieces.js';
import type { Spool } from './spool.js';
import type { Stakes } from './stakes.js';
import { withWholeImports } from './whole-imports.js';

export interface Progress {
  readonly stage: 'reading' | 'setting';
  readonly done: number;
  readonly total: number;
}

export interface GatherOptions {
  /** Where relative paths of the request start. */
  readonly folder: string;
  readonly meter: Meter;
  /** Weight of the diff of one page, as git writes it. */
  readonly capacity: number;
  /** Weight of the diff of one page, as it reads there. */
  readonly room?: number | undefined;
  readonly write?: PieceWriter | undefined;
  readonly stakes: Stakes;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface GatheredPieces {
  readonly pieces: readonly Piece[];
  readonly spool: Spool;
  /** Of the whole change, in the order of paths. */
  readonly omitted: readonly Omission[];
  /** Files that changed their line endings. */
  readonly flips: readonly string[];
  /** By path, for files that have company. */
  readonly affinities: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
}

export async function gatherPieces(room: ReviewRoom, options: GatherOptions): Promise<GatheredPieces> {
  const { request, kept, signal } = room;
  const { capacity, onProgress } = options;
  const findings = await linterFindings(room, options.folder);
  const related = new Map<string, RelatedFile>();
  let read = 0;
  const selected = await selectPieces(room, {
    ...{ capacity, signal, meter: options.meter, room: options.room, write: options.write },
    maxPages: request.maxPages,
    stakes: options.stakes,
    lines: findings.length > 0,
    onText: ({ path, weight, parts }, text) => {
      read += 1;
      onProgress?.({ stage: 'reading', done: read, total: kept.length });
      if (parts === 1) related.set(path, { path, weight, imports: importsIn(text) });
    },
  });
  const { spool, pieces, flips } = selected;
  try {
    const affinities = relate(await withWholeImports(room, [...related.values()], capacity), capacity);
    const omitted = inPathOrder([...room.omitted, ...selected.omitted]);
    return { pieces, spool, omitted, flips, affinities, findings };
  } catch (error) {
    spool.close();
    throw error;
  }
}

/** Readers of files that most reviews do not name are loaded when one does. */
async function linterFindings(
  { request, repository }: ReviewRoom,
  folder: string,
): Promise<readonly Finding[]> {
  if (request.linter === undefined || request.linter.length === 0) return [];
  const { readFindings } = await import('../linters/read-findings.js');
  return readFindings(request.linter, { folder, topLevel: repository.topLevel });
}
