// What stands on a page of one changed file: the whole patch, or one of several that follow each other.
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
  readonly weight: number;
  readonly place: SpoolPlace;
  readonly added: number;
  readonly removed: number;
  /** False when lines were shortened or bytes replaced: it reads right but does not apply. */
  readonly applicable: boolean;
  readonly windowedLines: number;
  /** Changed lines of the new side. */
  readonly changed: readonly LineSpan[];
}

/** A piece as it comes from the patch, before its text is put aside. */
export interface PieceText extends Omit<Piece, 'place' | 'id'> {
  readonly bytes: Buffer;
  readonly text: string;
}
