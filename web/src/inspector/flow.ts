// Pieces laid out like words on lines: as wide as they cost, carried over to the next line where one is full.
import type { Piece } from './sheet.js';

export interface Block {
  readonly piece: Piece;
  readonly row: number;
  /** In pixels. */
  readonly left: number;
  readonly right: number;
}

export interface Flow {
  readonly blocks: readonly Block[];
  readonly rows: number;
}

/** What costs nothing still has this share of a line, so that it can be seen and pointed at. */
const least = 1 / 400;

export function flow(pieces: readonly Piece[], { perRow, width }: { perRow: number; width: number }): Flow {
  const blocks: Block[] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + Math.max((piece.amount ?? 0) / perRow, least);
    for (let row = Math.floor(at); row < end; row += 1) {
      const left = Math.max(at - row, 0) * width;
      const right = Math.min(end - row, 1) * width;
      if (right > left) blocks.push({ piece, row, left, right });
    }
    at = end;
  }
  return { blocks, rows: Math.ceil(at - 1e-9) };
}

export function pieceAt({ blocks }: Flow, x: number, y: number, rowHeight: number): Piece | undefined {
  const row = Math.floor(y / rowHeight);
  return blocks.find((block) => block.row === row && x >= block.left && x < block.right)?.piece;
}
