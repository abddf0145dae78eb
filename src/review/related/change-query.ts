// The change as ranking sees it: hunks without context, the lines a reader gets with them for free, and which of its words to look
// for.
import { byCodePoint } from '../../core/model/code-points.js';
import { identifiersOf } from './lexicon.js';
import { isTestPath } from './path-kinship.js';

export interface QueryWord {
  readonly word: string;
  readonly weight: number;
  /** Stood in a removed line and in no added one: what still mentions it may be stale. */
  readonly gone: boolean;
}

const maxWords = 150;
/** Nobody calls anything by a longer name, and patterns of such words cannot be searched with. */
const longestWord = 100;
const ordinary = new Set(
  (
    'abstract and any as assert async await boolean break case catch class const continue def default delete do elif else enum ' +
    'export extends false False final finally for from func function get go if implements import in instanceof interface is lambda let map new nil None not ' +
    'null number object of or package pass private protected public raise range readonly require return self set static string struct super switch ' +
    'this throw throws true True try type typeof undefined unknown use val value var void while with yield it expect describe test'
  ).split(' '),
);

/** Keywords and filler that say nothing about a program. */
export function isOrdinary(word: string): boolean {
  return ordinary.has(word);
}

export function changeQuery(change: VisibleChange): QueryWord[] {
  const added = new Map<string, number>();
  const removed = new Map<string, number>();
  for (const hunk of change.hunks) {
    count(hunk.newLines, added);
    count(hunk.oldLines, removed);
  }
  const words: QueryWord[] = [];
  for (const word of new Set([...added.keys(), ...removed.keys()])) {
    const times = (added.get(word) ?? 0) + (removed.get(word) ?? 0);
    const gone = !added.has(word);
    words.push({ word, weight: 1 + Math.log(times), gone });
  }
  return words
    .toSorted((a, b) => b.weight * b.word.length - a.weight * a.word.length || byCodePoint(a.word, b.word))
    .slice(0, maxWords);
}

function count(lines: readonly string[], into: Map<string, number>): void {
  for (const line of lines) {
    for (const word of identifiersOf(line)) {
      if (word.length <= longestWord && !isOrdinary(word)) into.set(word, (into.get(word) ?? 0) + 1);
    }
  }
}

export interface VisibleHunk {
  readonly path: string;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** One-based first new line; for a pure deletion, the line before it, as git prints it. */
  readonly newStart: number;
}

export interface VisibleChange {
  readonly hunks: readonly VisibleHunk[];
}

const freeMargin = 3;
const maxForemost = 200;

/** The one-based first and last new-side line shown with a hunk. */
export function shownRange(hunk: VisibleHunk): { first: number; last: number } {
  const count = hunk.newLines.length;
  if (count === 0) return { first: hunk.newStart - freeMargin + 1, last: hunk.newStart + freeMargin };
  return { first: hunk.newStart - freeMargin, last: hunk.newStart + count - 1 + freeMargin };
}

/** The changed paths that are opened: all of them, or of a very large change those that are no tests and have most hunks. */
export function foremostPaths(change: VisibleChange): string[] {
  const hunks = new Map<string, number>();
  for (const { path } of change.hunks) hunks.set(path, (hunks.get(path) ?? 0) + 1);
  return [...hunks]
    .toSorted(
      ([a, left], [b, right]) =>
        Number(isTestPath(a)) - Number(isTestPath(b)) || right - left || byCodePoint(a, b),
    )
    .slice(0, maxForemost)
    .map(([path]) => path)
    .toSorted(byCodePoint);
}
