// Fills a budget with the most valuable pieces for their price; neighbours become one snippet, no line stands twice.
import { byCodePoint } from '../../src/core/model/code-points.js';
import type { RankedPiece } from '../../src/review/related/rank-pieces.js';

export interface RelatedSnippet {
  readonly path: string;
  /** One-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  readonly why: string;
}

export interface PackOptions {
  readonly tokens: number;
  /** What every snippet costs besides its text. */
  readonly perSnippet: number;
  /** Tokens of the text of a line range. */
  readonly price: (range: { path: string; startLine: number; endLine: number }) => number;
}

interface Run {
  path: string;
  startLine: number;
  endLine: number;
  first: number;
  last: number;
  price: number;
  score: number;
  why: string;
}

const mostMisses = 100;

export function packSnippets(ranked: readonly RankedPiece[], options: PackOptions): RelatedSnippet[] {
  const byStart = new Map<string, Run>();
  const byEnd = new Map<string, Run>();
  const runs = new Set<Run>();
  const joins = new Set(
    ranked.filter((piece) => piece.joinsPrevious).map((piece) => key(piece.path, piece.place)),
  );
  let spent = 0;
  let misses = 0;
  for (const piece of ranked) {
    if (misses >= mostMisses) break;
    const before = joins.has(key(piece.path, piece.place))
      ? byEnd.get(key(piece.path, piece.place - 1))
      : undefined;
    const after = joins.has(key(piece.path, piece.place + 1))
      ? byStart.get(key(piece.path, piece.place + 1))
      : undefined;
    const startLine = before?.startLine ?? piece.startLine;
    const endLine = after?.endLine ?? piece.endLine;
    const price = options.price({ path: piece.path, startLine, endLine }) + options.perSnippet;
    const added = price - (before?.price ?? 0) - (after?.price ?? 0);
    if (spent + added > options.tokens) {
      misses += 1;
      continue;
    }
    spent += added;
    const best = [before, after].reduce<{ score: number; why: string }>(
      (top, run) => (run !== undefined && run.score > top.score ? run : top),
      { score: piece.score, why: piece.why },
    );
    for (const run of [before, after]) if (run !== undefined) runs.delete(run);
    const run: Run = {
      path: piece.path,
      startLine,
      endLine,
      first: before?.first ?? piece.place,
      last: after?.last ?? piece.place,
      price,
      score: best.score,
      why: best.why,
    };
    runs.add(run);
    byStart.set(key(run.path, run.first), run);
    byEnd.set(key(run.path, run.last), run);
  }
  return [...runs]
    .toSorted((a, b) => b.score - a.score || byCodePoint(a.path, b.path) || a.startLine - b.startLine)
    .map(({ path, startLine, endLine, score, why }) => ({ path, startLine, endLine, score, why }));
}

function key(path: string, place: number): string {
  return `${place}:${path}`;
}
