// Once the pieces of a diff have their pages: which stand where, what is said about them, and what found no room.
import type { Layout } from '../../core/lay-out.js';
import type { Warning } from '../../core/model/error.js';
import { GalleyError } from '../../core/model/error.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import { coverageLine, englishCoverage } from '../change/coverage.js';
import type { Omission } from '../change/omission.js';
import { accountFor, type Piece } from '../pieces/piece.js';

export interface ChunkPiece {
  readonly path: string;
  /** One-based place among the pieces of a file that is split over several. */
  readonly part: number;
  readonly parts: number;
  readonly added: number;
  readonly removed: number;
  readonly applicable: boolean;
}

export function chunkPiece({ path, part, parts, added, removed, applicable }: Piece): ChunkPiece {
  return { path, part, parts, added, removed, applicable };
}

/** Of everything that stands on a page. */
export function idsOn({ choices }: Layout): string[] {
  return choices.flatMap(({ level, wording }) => (level === undefined ? [] : [wording.fragment.id]));
}

/** What stands on each page; what stands on all of them is told with the first. */
export function choicesByPage({ pages, choices }: Layout): FragmentChoice[][] {
  const onPage = Array.from({ length: pages }, (): FragmentChoice[] => []);
  for (const choice of choices) if (choice.level !== undefined) onPage[choice.page ?? 0]?.push(choice);
  return onPage;
}

/** The pieces of each page, in the order in which they stand there. */
export function piecesByPage({ pages, choices }: Layout, pieces: readonly Piece[]): Piece[][] {
  const byId = new Map(pieces.map((piece) => [piece.id, piece]));
  const onPage = Array.from({ length: pages }, () => new Set<Piece>());
  for (const { page, wording } of choices) {
    const piece = byId.get(wording.fragment.id) ?? byId.get(wording.fragment.bond ?? '');
    if (piece !== undefined && page !== undefined) onPage[page]?.add(piece);
  }
  return onPage.map((set) => [...set]);
}

/** Pieces are cut to fit, so each has a page; a lost one would be a lost line. */
export function refuseUnplaced(choices: readonly FragmentChoice[]): void {
  const lost = choices.filter(({ page, wording }) => page === undefined && wording.fragment.layer === 'diff');
  if (lost.length === 0) return;
  throw new GalleyError('INTERNAL', 'A piece of the diff found no page; this is a defect worth reporting.', {
    details: { pieces: lost.length },
  });
}

/** Findings of linters are the first to give way, never without a word. */
export function leftOutFindings(choices: readonly FragmentChoice[]): Warning[] {
  const findings = choices.filter(({ wording }) => wording.fragment.layer === 'linter');
  const left = findings.filter(({ level }) => level === undefined).length;
  if (left === 0) return [];
  return [
    {
      code: 'LINTER_FINDINGS_LEFT_OUT',
      message: `${left} of ${findings.length} findings of linters found no room on their page.`,
      details: { left, total: findings.length },
    },
  ];
}

export function coverageOf(
  files: number,
  pieces: readonly Piece[],
  omitted: readonly Omission[],
  { rulesInPart = false } = {},
): string {
  const { onPages } = accountFor(pieces, []);
  const line = coverageLine({ files, ...onPages }, omitted);
  return rulesInPart ? line + englishCoverage.rulesInPart : line;
}

export function flipWarning(paths: readonly string[]): Warning[] {
  if (paths.length === 0) return [];
  return [
    {
      code: 'LINE_ENDINGS_CHANGED',
      message: `${paths.length} file(s) changed their line endings; most of their lines differ in nothing else.`,
      details: { total: paths.length, paths: paths.slice(0, 20) },
    },
  ];
}
