// Which sentences of a chunk belong in a small piece? The ones most likely to hold the answer, in reading order,
// whole where they fit; a single sentence that is too long is cut at clauses around what was asked.
import { clauseEnds } from '../documents/clauses.js';
import { type IndexedText, indexText } from '../documents/indexed-text.js';
import { sentenceEnds } from '../documents/sentences.js';
import type { TextRange } from '../documents/text-range.js';
import { focusQuery } from './query.js';
import type { CollectionStatistics } from './statistics.js';
import { type Token, tokensOf } from './tokens.js';

export interface PassageLimit {
  /** The most code points all ranges together may hold. */
  readonly budget: number;
  readonly statistics: CollectionStatistics;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const neighbour = 0.2;
const repetition = 0.5;
const topic = 0.5;
const lengthDamping = 0.2;
const usualSentence = 40;
const runOn = 0.5;

/** Ranges of code points, ascending and apart. */
export function trimPassage(query: string, text: string | IndexedText, limit: PassageLimit): TextRange[] {
  const indexed = indexText(text);
  if (limit.budget <= 0 || indexed.length === 0) return [];
  if (indexed.length <= limit.budget) return [{ start: 0, end: indexed.length }];
  const weights = focusQuery(query, limit.statistics);
  const hits = tokensOf(indexed.text).filter((token) => weights.has(token.term));
  const sentences = stretches(sentenceEnds(indexed.text, 0, indexed.text.length));
  const chosen = chooseSentences(indexed, sentences, { hits, weights, budget: limit.budget });
  return joined(chosen.sort((left, right) => left.start - right.start));
}

interface Search {
  readonly hits: readonly Token[];
  readonly weights: ReadonlyMap<string, number>;
  readonly budget: number;
}

function chooseSentences(indexed: IndexedText, sentences: readonly Stretch[], search: Search): TextRange[] {
  const counts = new Map<string, number>();
  for (const hit of search.hits) counts.set(hit.term, (counts.get(hit.term) ?? 0) + 1);
  // The first sentence names what the whole chunk is about, so its terms tell the sentences apart less.
  const topical = new Set(sentences.length > 1 ? termsWithin(sentences[0]!, search.hits) : []);
  const share = (term: string) =>
    (search.weights.get(term)! / counts.get(term)! ** repetition) * (topical.has(term) ? topic : 1);
  const own = sentences.map(
    (sentence) =>
      worthOf(sentence, search.hits, share) /
      (1 + (sentence.to - sentence.from) / usualSentence) ** lengthDamping,
  );
  const scores = own.map(
    (value, index) => value + neighbour * ((own[index - 1] ?? 0) + (own[index + 1] ?? 0)),
  );
  const order = sentences.map((_, index) => index).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const chosen: TextRange[] = [];
  let left = search.budget;
  for (const index of order) {
    const range = inCodePoints(indexed, sentences[index]!);
    if (range.end - range.start <= left) chosen.push(range);
    else if (chosen.length === 0)
      chosen.push(bestClauses(indexed, sentences[index]!, { ...search, budget: left }));
    else continue;
    const last = chosen.at(-1)!;
    left -= last.end - last.start;
  }
  return chosen;
}

/** Distinct terms count once; a term that continues a matched run counts less, or long names would drown the rest. */
function worthOf(stretch: Stretch, hits: readonly Token[], share: (term: string) => number): number {
  const seen = new Set<string>();
  let value = 0;
  let last = -2;
  for (const hit of hits) {
    if (hit.start < stretch.from || hit.end > stretch.to) continue;
    if (!seen.has(hit.term)) {
      seen.add(hit.term);
      value += share(hit.term) * (hit.place - last <= 1 ? runOn : 1);
    }
    last = hit.place;
  }
  return value;
}

function termsWithin(stretch: Stretch, hits: readonly Token[]): string[] {
  return hits.filter((hit) => hit.start >= stretch.from && hit.end <= stretch.to).map((hit) => hit.term);
}

function bestClauses(indexed: IndexedText, sentence: Stretch, search: Search): TextRange {
  const { text } = indexed;
  const borders = [sentence.from, ...clauseEnds(text, sentence.from, sentence.to)];
  let best: TextRange | undefined;
  let bestValue = -1;
  for (const [index, from] of borders.slice(0, -1).entries()) {
    const start = indexed.positionAt(from);
    const fitting = borders.slice(index + 1).filter((to) => indexed.positionAt(to) - start <= search.budget);
    const end = fitting.length > 0 ? indexed.positionAt(fitting.at(-1)!) : start + search.budget;
    const value = worthOf(
      { from, to: indexed.unitAt(end) },
      search.hits,
      (term) => search.weights.get(term)!,
    );
    if (value > bestValue) {
      bestValue = value;
      best = { start, end: Math.min(end, indexed.positionAt(sentence.to)) };
    }
  }
  return best!;
}

function stretches(ends: readonly number[]): Stretch[] {
  let from = 0;
  return ends.map((to) => {
    const stretch = { from, to };
    from = to;
    return stretch;
  });
}

function inCodePoints(indexed: IndexedText, stretch: Stretch): TextRange {
  return { start: indexed.positionAt(stretch.from), end: indexed.positionAt(stretch.to) };
}

function joined(ranges: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last !== undefined && last.end === range.start)
      result[result.length - 1] = { start: last.start, end: range.end };
    else result.push(range);
  }
  return result;
}
