// Which searchable things stand where in a text? Pairs of characters for scripts without spaces (with the single characters
// beside them), folded and stemmed words for the others. Width, case and Latin accents are folded away.
import { stem } from './stem.js';

export interface Token {
  readonly term: string;
  /** `single` characters stand beside the pairs that hold them and weigh less. */
  readonly kind: 'word' | 'pair' | 'single';
  /** Half-open, in code units of the given text. */
  readonly start: number;
  readonly end: number;
  /** Running number of the word or pair; a single shares that of the pair it begins. */
  readonly place: number;
  /** The character stands alone between other scripts or punctuation. */
  readonly alone?: boolean;
}

const spaceless = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々\\uff70';
const runs = new RegExp(`[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const isSpaceless = new RegExp(`^[${spaceless}]`, 'u');
const accents = /[\u0300-\u036f]/g;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let place = 0;
  for (const match of text.matchAll(runs)) {
    const run = match[0];
    if (isSpaceless.test(run)) place = addCharacters(tokens, run, { start: match.index, place });
    else place = addWords(tokens, run, { start: match.index, place });
  }
  return tokens;
}

export function foldWord(word: string): string {
  const folded = word.normalize('NFKC').toLowerCase();
  return /[\u0080-\uffff]/.test(folded)
    ? folded.normalize('NFD').replace(accents, '').normalize('NFC')
    : folded;
}

interface Spot {
  readonly start: number;
  readonly place: number;
}

function addCharacters(tokens: Token[], run: string, { start, place }: Spot): number {
  const characters = [...run];
  const folded = characters.map((character) => character.normalize('NFKC'));
  let unit = start;
  characters.forEach((character, index) => {
    const end = unit + character.length;
    const at = place + Math.min(index, Math.max(0, characters.length - 2));
    const single = { term: folded[index]!, kind: 'single', start: unit, end, place: at } as const;
    tokens.push(characters.length === 1 ? { ...single, alone: true } : single);
    const next = characters[index + 1];
    if (next !== undefined) {
      const term = folded[index]! + folded[index + 1]!;
      tokens.push({ term, kind: 'pair', start: unit, end: end + next.length, place: at });
    }
    unit = end;
  });
  return place + Math.max(1, characters.length - 1);
}

function addWords(tokens: Token[], run: string, { start, place }: Spot): number {
  const end = start + run.length;
  // Compatibility folding can split a run, as in a vulgar fraction.
  const words = foldWord(run).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  words.forEach((word, index) => {
    tokens.push({ term: stem(word), kind: 'word', start, end, place: place + index });
  });
  return place + words.length;
}
