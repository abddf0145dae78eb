// What stands on a page of one changed file: the whole patch, or one of several that follow each other, in one block or more.
import type { FilePatch, Hunk } from '../../git/patch/patch.js';
import type { SpoolPlace } from './spool.js';

export interface LineSpan {
  /** One-based and inclusive, on the new side. */
  readonly start: number;
  readonly end: number;
}

export interface Piece {
  readonly id: string;
  readonly path: string;
  readonly oldPath?: string;
  /** One-based. */
  readonly part: number;
  readonly parts: number;
  /** Of the patch as git would write it. */
  readonly weight: number;
  readonly blocks: readonly Block[];
  readonly added: number;
  readonly removed: number;
  /** False when lines were shortened or bytes replaced: it reads right but does not apply. */
  readonly applicable: boolean;
  readonly windowedLines: number;
  /** Changed lines of the new side. */
  readonly changed: readonly LineSpan[];
}

export interface Block {
  readonly place: SpoolPlace;
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
export interface PieceSource extends Omit<PieceText, 'written' | 'weight' | 'changed' | 'windowedLines'> {
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
