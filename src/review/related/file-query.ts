// Which words stand for whole files: what they define first, then the words they use most.
import { byCodePoint } from '../../core/model/code-points.js';
import { isOrdinary, type QueryWord } from './change-query.js';
import type { FileSheet } from './file-sheet.js';
import type { Lexicon } from './lexicon.js';

const mostWords = 400;
const definedWeight = 2;
const shortestWord = 3;

export function fileQuery(sheets: Iterable<FileSheet>, lexicon: Lexicon): QueryWord[] {
  const times = new Map<string, number>();
  const defined = new Set<string>();
  for (const sheet of sheets) {
    for (const id of sheet.words) {
      const word = lexicon.words[id]!;
      if (word.length >= shortestWord && !isOrdinary(word)) times.set(word, (times.get(word) ?? 0) + 1);
    }
    for (const symbol of sheet.symbols) defined.add(symbol.name);
  }
  return [...times]
    .map(([word, count]) => {
      const own = defined.has(word) ? definedWeight : 1;
      return { word, weight: own, worth: own * word.length * (1 + Math.log(count)), gone: false };
    })
    .toSorted((a, b) => b.worth - a.worth || byCodePoint(a.word, b.word))
    .slice(0, mostWords)
    .map(({ word, weight, gone }) => ({ word, weight, gone }));
}
