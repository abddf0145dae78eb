// How well each line, piece and unit of the opened files matches the query: whole words and their parts, by rarity.

import type { LineRange } from '../../code/range-evidence.js';
import type { QueryWord } from './change-query.js';
import type { FileSheet } from './corpus.js';
import { type Lexicon, partsOf, wordId } from './lexicon.js';

const partWeight = 0.35;
const saturation = 1.2;
const lengthPull = 0.5;

export interface WordTable {
  /** Query terms a word stands for: itself and its parts. */
  readonly termsOf: (word: number) => readonly number[];
  readonly weights: Float64Array;
  /** 1 for terms of words that the change removed. */
  readonly gone: Uint8Array;
}

interface TableQuestion {
  readonly query: readonly QueryWord[];
  readonly rarity: ReadonlyMap<string, number>;
  readonly lexicon: Lexicon;
  readonly sheets: ReadonlyMap<string, FileSheet>;
}

export function makeWordTable(question: TableQuestion): WordTable {
  const { query, lexicon, sheets } = question;
  const termIndex = new Map<number, number>();
  const weights: number[] = [];
  const gone: number[] = [];
  for (const entry of query) {
    const id = wordId(lexicon, entry.word);
    termIndex.set(id, weights.length);
    weights.push(entry.weight * (question.rarity.get(entry.word) ?? 0));
    gone.push(entry.gone ? 1 : 0);
  }
  const partIndex = new Map<number, number>();
  const partQuery: number[] = [];
  for (const entry of query) {
    for (const part of partsOf(lexicon, wordId(lexicon, entry.word))) {
      const known = partIndex.get(part);
      if (known === undefined) {
        partIndex.set(part, partQuery.length);
        partQuery.push(entry.weight);
      } else partQuery[known] = Math.max(partQuery[known]!, entry.weight);
    }
  }
  const documents = new Int32Array(partQuery.length);
  for (const sheet of sheets.values()) {
    const seen = new Set<number>();
    for (const word of new Set(sheet.words)) {
      for (const part of partsOf(lexicon, word)) {
        const index = partIndex.get(part);
        if (index !== undefined) seen.add(index);
      }
    }
    for (const index of seen) documents[index]! += 1;
  }
  const offset = weights.length;
  partQuery.forEach((weight, index) => {
    const rare = Math.log(1 + (sheets.size - documents[index]! + 0.5) / (documents[index]! + 0.5));
    weights.push(partWeight * weight * rare);
    gone.push(0);
  });
  const memo = new Map<number, readonly number[]>();
  const termsOf = (word: number): readonly number[] => {
    const known = memo.get(word);
    if (known !== undefined) return known;
    const terms: number[] = [];
    const whole = termIndex.get(word);
    if (whole !== undefined) terms.push(whole);
    for (const part of partsOf(lexicon, word)) {
      const index = partIndex.get(part);
      if (index !== undefined) terms.push(offset + index);
    }
    memo.set(word, terms);
    return terms;
  };
  return { termsOf, weights: Float64Array.from(weights), gone: Uint8Array.from(gone) };
}

interface WordMatch {
  /** Saturated, length-normalised score. */
  readonly score: number;
  /** The part of it that comes from words the change removed. */
  readonly stale: number;
}

/** Scores a range of lines against a typical length in words. */
export function matchRange(
  sheet: FileSheet,
  table: WordTable,
  range: LineRange & { readonly typicalWords: number },
): WordMatch {
  const first = firstWordFrom(sheet.wordLines, range.startLine);
  const counts = new Map<number, number>();
  let index = first;
  for (; index < sheet.words.length && sheet.wordLines[index]! <= range.endLine; index += 1) {
    for (const term of table.termsOf(sheet.words[index]!)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const pull = saturation * (1 - lengthPull + (lengthPull * (index - first)) / range.typicalWords);
  let score = 0;
  let stale = 0;
  for (const [term, times] of counts) {
    const part = (table.weights[term]! * times) / (times + pull);
    score += part;
    if (table.gone[term] === 1) stale += part;
  }
  return { score, stale };
}

function firstWordFrom(wordLines: Int32Array, line: number): number {
  let low = 0;
  let high = wordLines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (wordLines[middle]! < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The weight of the query terms on each line. */
export function matchLines(sheet: FileSheet, table: WordTable): Float64Array {
  const out = new Float64Array(sheet.lineCount);
  for (let index = 0; index < sheet.words.length; index += 1) {
    for (const term of table.termsOf(sheet.words[index]!)) {
      out[sheet.wordLines[index]! - 1]! += table.weights[term]!;
    }
  }
  return out;
}
