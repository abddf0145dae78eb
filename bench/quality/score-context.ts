// The one counter and the one score for all methods.

import { shownRange } from '../../src/review/related/change-query.js';
import type { FileSheet } from '../../src/review/related/corpus.js';
import type { Instance } from './instance.js';

export interface Span {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

export const perSnippet = 8;

export type SheetOf = (path: string) => FileSheet | undefined;

export function freeLines(instance: Instance): Map<string, Set<number>> {
  const free = new Map<string, Set<number>>();
  for (const hunk of instance.hunks) {
    const { first, last } = shownRange(hunk);
    const lines = free.get(hunk.path) ?? new Set<number>();
    for (let line = first; line <= last; line += 1) lines.add(line);
    free.set(hunk.path, lines);
  }
  return free;
}

/** Each list is taken in order while it fits its share; what a share leaves over goes to the next. Lines already there, or free, cost nothing. */
export function fillContext(
  lists: readonly Iterable<Span>[],
  shares: readonly number[],
  instance: Instance,
  sheetOf: SheetOf,
): Map<string, Set<number>> {
  const have = freeLines(instance);
  let spent = 0;
  let room = 0;
  lists.forEach((spans, index) => {
    room += shares[index]!;
    let misses = 0;
    for (const span of spans) {
      const sheet = sheetOf(span.path);
      if (sheet === undefined) continue;
      const known = have.get(span.path) ?? new Set<number>();
      let size = 0;
      const fresh: number[] = [];
      for (
        let line = Math.max(1, span.startLine);
        line <= Math.min(sheet.lineCount, span.endLine);
        line += 1
      ) {
        if (known.has(line)) continue;
        size += sheet.lineSizes[line - 1]!;
        fresh.push(line);
      }
      if (fresh.length === 0) continue;
      const price = Math.ceil(size / 4) + perSnippet;
      if (spent + price > room) {
        misses += 1;
        if (misses > 50) break;
        continue;
      }
      spent += price;
      for (const line of fresh) known.add(line);
      have.set(span.path, known);
    }
  });
  return have;
}

/** Share of gold units of which at least half of the lines are there. */
export function scoreContext(context: ReadonlyMap<string, ReadonlySet<number>>, instance: Instance): number {
  let found = 0;
  for (const unit of instance.gold) {
    const lines = context.get(unit.path);
    const there = unit.lines.filter((line) => lines?.has(line) === true).length;
    if (there * 2 >= unit.lines.length) found += 1;
  }
  return found / instance.gold.length;
}
