// Pieces of one file share what is said about it, so that lines and not headings fill the room: on pages behind the best of them,
// in bundles as one snippet wherever they touch; and how such a piece reads.
import { groupBy } from '../change/group-by.js';
import { printablePath } from '../change/safe-text.js';
import type { ContextPiece } from './context-pieces.js';

/** The one that stays longest names the file; the others follow in the order of their lines. */
export function underHeads<Piece extends ContextPiece>(pieces: readonly Piece[]): Piece[] {
  const groups = groupBy(
    pieces,
    (piece) => `${piece.kind === 'related' || piece.kind === 'interface'}:${fileOf(piece)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [head, ...rest] = group.toSorted((a, b) => b.rank - a.rank || byLine(a, b));
    if (head === undefined) return [];
    return [head, ...rest.sort(byLine).map((piece) => ({ ...piece, leansOn: head }))];
  });
}

/** What touches a better piece becomes part of its snippet. */
export function besideNeighbours<Piece extends ContextPiece>(pieces: readonly Piece[]): Piece[] {
  const byEnd = new Map(pieces.map((piece) => [endOf(piece), piece]));
  const leansOn = new Map<Piece, Piece>();
  for (const piece of pieces) {
    const above = byEnd.get(joinOf(piece) ?? '');
    if (above === undefined) continue;
    if (above.rank > piece.rank) leansOn.set(piece, above);
    else leansOn.set(above, piece);
  }
  return pieces.map((piece) => {
    const better = leansOn.get(piece);
    return better === undefined ? piece : { ...piece, leansOn: better };
  });
}

/** Pieces that touch as one, in the place of the better one. */
export function joinNeighbours(pieces: readonly ContextPiece[]): ContextPiece[] {
  const joined: (ContextPiece | undefined)[] = [];
  const ends = new Map<string, number>();
  const downwards = pieces.map((piece, place) => ({ piece, place }));
  downwards.sort((a, b) => byLine(a.piece, b.piece));
  for (const { piece, place } of downwards) {
    const found = ends.get(joinOf(piece) ?? '');
    const above = found === undefined ? undefined : joined[found];
    const better = Math.min(found ?? place, place);
    if (found !== undefined) joined[found] = undefined;
    joined[better] = above === undefined ? piece : joinedTo(above, piece, better === found);
    ends.set(endOf(piece), better);
  }
  return joined.filter((piece) => piece !== undefined);
}

function joinedTo(above: ContextPiece, below: ContextPiece, isAboveBetter: boolean): ContextPiece {
  const best = isAboveBetter ? above : below;
  const { startLine, endLine, text } = above.snippet;
  const gap = '\n'.repeat(below.snippet.startLine - endLine);
  return {
    ...best,
    score: Math.max(above.score, below.score),
    snippet: {
      ...best.snippet,
      ...{ startLine, endLine: below.snippet.endLine, text: `${text}${gap}${below.snippet.text}` },
    },
  };
}

function fileOf({ snippet, home }: ContextPiece): string {
  return `${snippet.side}:${home.unit.id}:${snippet.path}`;
}

function endOf(piece: ContextPiece): string {
  return `${piece.snippet.endLine}:${fileOf(piece)}`;
}

function joinOf(piece: ContextPiece): string | undefined {
  return piece.joinsLine === undefined ? undefined : `${piece.joinsLine}:${fileOf(piece)}`;
}

function byLine({ snippet: a }: ContextPiece, { snippet: b }: ContextPiece): number {
  return a.startLine - b.startLine;
}

/** Behind another piece of the same file only what differs from it is said. */
export function contextWords({ snippet, leansOn }: Pick<ContextPiece, 'snippet' | 'leansOn'>): string {
  const { path, side, startLine, endLine, why, text } = snippet;
  const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const file = leansOn === undefined ? printablePath(path) : '';
  const before = side === 'old' && leansOn === undefined ? ' before the change' : '';
  const reason = leansOn?.snippet.why === why ? '' : ` \u00b7 ${why}`;
  return `${file}:${range}${before}${reason}\n${codeFence('', text)}`;
}

/** Code between marks that are longer than any it holds. */
export function codeFence(language: string, text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${marks}\n`;
}
