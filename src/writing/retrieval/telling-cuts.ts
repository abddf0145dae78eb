// How does a passage read when it has to be short? Its most telling sentence first, from its most telling clause outwards, then the
// next sentence, and so on: every cut holds all of the shorter ones, so that more room never tells less.
import { boundedEnds, clauseEnds, sentenceEnds } from '../documents/borders.js';
import { type IndexedText, indexText, type TextRange } from '../documents/indexed-text.js';
import { type Token, tokensOf } from './terms.js';

export interface CutSizes {
  /** Code points of the shortest cut, about. */
  readonly least?: number;
  /** Each cut is about this many times as long as the one before it. */
  readonly growth?: number;
}

/** Ranges of code points, ascending and apart. */
export type Cut = readonly TextRange[];

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
/** No single step adds more code units than this. */
const longestStep = 60;

/** Shortest first; the whole text is not among them. `weights` says how much a term tells. */
export function tellingCuts(
  text: string | IndexedText,
  weights: ReadonlyMap<string, number>,
  { least = 24, growth = 1.3 }: CutSizes = {},
): Cut[] {
  const indexed = indexText(text);
  const cuts: Cut[] = [];
  let wanted = least;
  let held: Stretch[] = [];
  let added: Stretch[] = [];
  let size = 0;
  for (const step of stepsOf(indexed.text, weights)) {
    added.push(step);
    size += indexed.positionAt(step.to) - indexed.positionAt(step.from);
    if (size < wanted) continue;
    if (size >= indexed.length) break;
    held = joined([...held, ...added]);
    added = [];
    cuts.push(held.map(({ from, to }) => ({ start: indexed.positionAt(from), end: indexed.positionAt(to) })));
    wanted = Math.ceil(size * growth);
  }
  return cuts;
}

/** What the best sentence of each text tells; what stands in all of them tells them apart less. */
export function tellingWorth(texts: readonly string[], weights: ReadonlyMap<string, number>): number[] {
  const hits = texts.map((text) => tokensOf(text, weights));
  const counts = new Map<string, number>();
  for (const { term } of hits.flat()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const share = (term: string) => weights.get(term)! / counts.get(term)! ** repetition;
  return texts.map((text, index) => {
    const sentences = stretches(0, sentenceEnds(text, 0, text.length));
    return Math.max(0, ...hitsWithin(sentences, hits[index]!).map((within) => worthOf(within, share)));
  });
}

/** Clauses in the order in which they are added. */
function stepsOf(text: string, weights: ReadonlyMap<string, number>): Stretch[] {
  const sentences = stretches(0, sentenceEnds(text, 0, text.length));
  const within = hitsWithin(sentences, tokensOf(text, weights));
  return orderOfWorth(sentences, { within, weights }).flatMap((place) => {
    const sentence = sentences[place]!;
    const clauses = stretches(sentence.from, smallEnds(text, sentence));
    const worths = hitsWithin(clauses, within[place]!).map((hits) =>
      worthOf(hits, (term) => weights.get(term) ?? 0),
    );
    return outwards(worths).map((index) => clauses[index]!);
  });
}

function smallEnds(text: string, sentence: Stretch): number[] {
  return stretches(sentence.from, clauseEnds(text, sentence.from, sentence.to)).flatMap((clause) =>
    boundedEnds(text, clause, longestStep),
  );
}

/** From the best place to its better neighbour, and on, until all are in. */
function outwards(worths: readonly number[]): number[] {
  let left = worths.indexOf(Math.max(...worths));
  let right = left;
  const order = [left];
  while (order.length < worths.length) {
    const before = worths[left - 1] ?? -1;
    const after = worths[right + 1] ?? -1;
    if (after >= before) order.push(++right);
    else order.push(--left);
  }
  return order;
}

interface Search {
  /** Hits of each sentence. */
  readonly within: readonly (readonly Token[])[];
  readonly weights: ReadonlyMap<string, number>;
}

function orderOfWorth(sentences: readonly Stretch[], { within, weights }: Search): number[] {
  const counts = new Map<string, number>();
  for (const { term } of within.flat()) counts.set(term, (counts.get(term) ?? 0) + 1);
  // The first sentence names what the whole passage is about, so its terms tell the sentences apart less.
  const topical = new Set(sentences.length > 1 ? within[0]!.map(({ term }) => term) : []);
  const share = (term: string) =>
    (weights.get(term)! / counts.get(term)! ** repetition) * (topical.has(term) ? topic : 1);
  const own = sentences.map(
    ({ from, to }, place) =>
      worthOf(within[place]!, share) / (1 + (to - from) / usualSentence) ** lengthDamping,
  );
  const scores = own.map(
    (value, index) => value + neighbour * ((own[index - 1] ?? 0) + (own[index + 1] ?? 0)),
  );
  return sentences.map((_, index) => index).sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/** Distinct terms count once; a term that continues a matched run counts less, or long names would drown the rest. */
function worthOf(hits: readonly Token[], share: (term: string) => number): number {
  if (hits.length === 0) return 0;
  const seen = new Set<string>();
  let value = 0;
  let last = -2;
  for (const hit of hits) {
    if (!seen.has(hit.term)) {
      seen.add(hit.term);
      value += share(hit.term) * (hit.place - last <= 1 ? runOn : 1);
    }
    last = hit.place;
  }
  return value;
}

/** Of each stretch; what stands across a border stands in none. */
function hitsWithin(stretches: readonly Stretch[], hits: readonly Token[]): Token[][] {
  let next = 0;
  return stretches.map(({ to }) => {
    const within: Token[] = [];
    for (let hit = hits[next]; hit !== undefined && hit.start < to; hit = hits[++next])
      if (hit.end <= to) within.push(hit);
    return within;
  });
}

function stretches(start: number, ends: readonly number[]): Stretch[] {
  let from = start;
  return ends.map((to) => {
    const stretch = { from, to };
    from = to;
    return stretch;
  });
}

/** In their order, neighbours as one. */
function joined(apart: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const next of [...apart].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last?.to === next.from) result[result.length - 1] = { from: last.from, to: next.to };
    else result.push(next);
  }
  return result;
}
