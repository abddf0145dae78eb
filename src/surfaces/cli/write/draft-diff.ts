// What a draft changes, piece by piece: what goes and what comes, in colour for people and with marks for pipes.
import type { AnswerOf } from '../../../operations/table.js';
import { colours } from '../terminal/colours.js';
import { word } from '../words/word.js';

type Piece = AnswerOf<'drafts:get'>['pieces'][number];

export function piecesText(pieces: readonly Piece[]): string {
  if (pieces.length === 0) return `${word('draft.same')}\n`;
  return pieces.map(pieceText).join('\n');
}

function pieceText({ piece, before, after, line, paragraph, isApplied }: Piece): string {
  const note = isApplied ? ` · ${word('draft.applied-piece')}` : '';
  const place = word('draft.place', { paragraph, line });
  const head = `${colours.bold(String(piece))}  ${colours.dim(`${place}${note}`)}\n`;
  return head + marked('-', before, colours.red) + marked('+', after, colours.green);
}

function marked(mark: string, text: string, colour: (words: string) => string): string {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => `${colour(`${mark} ${line.trimEnd()}`)}\n`).join('');
}
