// What stands on a page of one changed file: the whole patch, or one of several that follow each other, in one block or more. Every
// changed line stands in exactly one piece, or in an omission.
import type { LineRange } from '../../code/range-evidence.js';
import type { FilePatch, Hunk } from '../../git/patch/patch.js';
import { withoutIds } from '../../git/patch/select-lines.js';
import { writePatch } from '../../git/patch/write-patch.js';
import { isAbridged, isUnseen, type Omission } from '../change/omission.js';
import type { TextHandle } from './temp-text-store.js';

export interface Piece {
  readonly id: string;
  readonly path: string;
  readonly oldPath?: string;
  /** One-based. */
  readonly part: number;
  readonly parts: number;
  /** Of the patch as git would write it. */
  readonly weight: number;
  readonly blocks: readonly PieceBlock[];
  readonly added: number;
  readonly removed: number;
  /** False when lines were shortened or bytes replaced: it reads right but does not apply. */
  readonly applicable: boolean;
  readonly windowedLines: number;
  /** Changed lines of data that are counted and not shown. */
  readonly abridged: LineSum;
  /** Changed lines of the new side. */
  readonly changed: readonly LineRange[];
}

interface PieceBlock {
  readonly place: TextHandle;
  readonly weight: number;
  /** Id of the unit it shows. */
  readonly unit?: string;
}

export interface BlockText {
  readonly text: string;
  readonly unit?: string;
}

/** A piece as it comes from the patch, before its text is put aside. */
export interface PieceText extends Omit<Piece, 'blocks' | 'id'> {
  /** As git would write it, with a warning above a piece that is not the whole. */
  readonly text: string;
  readonly written: readonly (BlockText & { readonly weight: number })[];
}

/** What a writer of pieces goes by. */
export interface PieceSource
  extends Omit<PieceText, 'written' | 'weight' | 'changed' | 'windowedLines' | 'abridged'> {
  /** Changed lines of the file that stand on no page, where only a part of it was chosen. */
  readonly left?: LineSum | undefined;
  /** With the numbers of the whole change, also where the piece follows others. */
  readonly patches: readonly FilePatch[];
}

/** Hunks whose old sides are counted as in the whole change, with their new sides counted so, too. */
export type Renumber = (hunks: readonly Hunk[]) => readonly Hunk[];

/** How a piece reads on its page; without one it reads as git writes it. */
export type PieceWriter = (source: PieceSource) => readonly BlockText[];

export function pieceId({ path, part, parts }: Pick<Piece, 'path' | 'part' | 'parts'>): string {
  return parts === 1 ? `diff:${path}` : `part ${part}/${parts}:${path}`;
}

/** As git writes it, less the object ids, which cost many tokens and tell a reader nothing. */
export function patchBytes(patch: FilePatch): Buffer {
  const { kind, status } = patch.entry;
  // A submodule's mode stands only beside its ids.
  const needsIds = kind !== 'file' || status === 'unmerged';
  return writePatch(needsIds ? patch : { ...patch, header: withoutIds(patch.header) });
}

const [newline, plus, minus, backslash] = [10, 43, 45, 92];

/** Lines of the new side that a patch changes; a removal alone counts for the line that took its place. */
export function changedSpans(hunks: readonly Hunk[]): LineRange[] {
  const spans: { startLine: number; endLine: number }[] = [];
  const mark = (line: number) => {
    const last = spans.at(-1);
    if (last !== undefined && line <= last.endLine + 1) last.endLine = Math.max(last.endLine, line);
    else spans.push({ startLine: line, endLine: line });
  };
  for (const { body, newStart, newCount, gap } of hunks) {
    let line = newCount === 0 ? newStart + 1 : newStart;
    for (let from = 0; from < body.length; ) {
      const sign = body[from];
      if (sign === plus) mark(line);
      else if (sign === minus) mark(Math.max(1, line));
      if (sign !== minus && sign !== backslash) line += 1;
      const end = body.indexOf(newline, from);
      from = end === -1 ? body.length : end + 1;
    }
    for (let hidden = 0; hidden < (gap?.added ?? 0); hidden += 1) mark(line + hidden);
  }
  return spans;
}

export type SideRange = LineRange & { readonly side: 'old' | 'new' };

/** Lines of either side that the hunks of a piece show, unchanged ones among them. */
export function shownSpans({ patches }: Pick<PieceSource, 'patches'>): SideRange[] {
  const range = (side: SideRange['side'], start: number, count: number): SideRange[] =>
    count === 0 ? [] : [{ side, startLine: start, endLine: start + count - 1 }];
  return patches.flatMap(({ hunks }) =>
    hunks.flatMap(({ oldStart, oldCount, newStart, newCount }) => [
      ...range('old', oldStart, oldCount),
      ...range('new', newStart, newCount),
    ]),
  );
}

export interface LineSum {
  readonly added: number;
  readonly removed: number;
}

/** Where every changed line went: the difference to the whole change must be nothing. */
export interface Accounting {
  readonly onPages: LineSum;
  /** Counted where they stood, and not shown: data. */
  readonly abridged: LineSum;
  readonly omitted: LineSum;
  /** Paths that could not be read or are in conflict: their lines are in neither sum. */
  readonly unseen: readonly string[];
  /** Pieces that read right but do not apply: shortened lines, bytes that are not UTF-8, unmerged paths. */
  readonly notApplicable: number;
  readonly windowedLines: number;
  readonly splitFiles: number;
}

export function accountFor(pieces: readonly Piece[], omitted: readonly Omission[]): Accounting {
  return {
    onPages: sumLines(pieces),
    abridged: sumLines(omitted.filter(isAbridged)),
    omitted: sumLines(omitted.filter((omission) => !isAbridged(omission))),
    unseen: omitted.filter(isUnseen).map(({ path }) => path),
    notApplicable: pieces.filter(({ applicable }) => !applicable).length,
    windowedLines: pieces.reduce((sum, { windowedLines }) => sum + windowedLines, 0),
    splitFiles: new Set(pieces.filter(({ parts }) => parts > 1).map(({ path }) => path)).size,
  };
}

export function sumLines(list: readonly LineSum[]): LineSum {
  let added = 0;
  let removed = 0;
  for (const each of list) {
    added += each.added;
    removed += each.removed;
  }
  return { added, removed };
}
