// Where the pre-token that starts at an index ends: the encodings' patterns as one linear scan, because a regular
// expression engine is slower and gives up on runs of many megabytes.
import { caseless, classAt, digit, lower, mark, newline, slash, space, upper } from './character-class.js';
import type { EncodingName } from './encoder.js';

const setOf = (...kinds: readonly number[]): number => kinds.reduce((set, kind) => set | (1 << kind), 0);
const letters = setOf(upper, lower, caseless);
const upperish = setOf(upper, caseless, mark);
const lowerish = setOf(lower, caseless, mark);
const blanks = setOf(space, newline);
const newlines = setOf(newline);
const newlinesAndSlashes = setOf(newline, slash);
const signs = ~(letters | blanks | setOf(digit));
const leads = ~(letters | setOf(newline, digit));
const contraction = /'(?:[st\u017fmd]|re|ve|ll)/iy;

const belongs = (set: number, kind: number): boolean => (set & (1 << kind)) !== 0;

export function preTokenEnd(text: string, start: number, encoding: EncodingName): number {
  const first = classAt(text, start);
  const cased = encoding === 'o200k_base';
  const word = cased ? casedWordEnd(text, start, first) : plainWordEnd(text, start, first);
  if (word > start) return word;
  if (first === digit) return digitsEnd(text, start);
  const body = text.charCodeAt(start) === 0x20 ? start + 1 : start;
  const end = runEnd(text, body, signs);
  if (end > body) return runEnd(text, end, cased ? newlinesAndSlashes : newlines);
  return blanksEnd(text, start);
}

function step(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const pair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
  return index + (pair ? 2 : 1);
}

function runEnd(text: string, start: number, set: number): number {
  let index = start;
  while (index < text.length && belongs(set, classAt(text, index))) index = step(text, index);
  return index;
}

function contractionEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== 0x27) return start;
  contraction.lastIndex = start;
  return contraction.test(text) ? contraction.lastIndex : start;
}

function plainWordEnd(text: string, start: number, first: number): number {
  const short = contractionEnd(text, start);
  if (short > start) return short;
  const body = belongs(leads, first) ? step(text, start) : start;
  const end = runEnd(text, body, letters);
  return end > body ? end : start;
}

function casedWordEnd(text: string, start: number, first: number): number {
  const body = belongs(leads, first) ? step(text, start) : start;
  let end = smallWordEnd(text, body);
  // A mark may also be the first letter of the word, and that goes before a word of capitals.
  if (end === body && first === mark) end = smallWordEnd(text, start);
  else if (end === body) end = runEnd(text, body, upperish);
  return end === body && first !== mark ? start : contractionEnd(text, end);
}

/** Capitals, then small letters; both may be caseless. Without small ones it ends at the last caseless one. */
function smallWordEnd(text: string, body: number): number {
  let turn = body;
  let given = body;
  while (turn < text.length) {
    const kind = classAt(text, turn);
    if (!belongs(upperish, kind)) break;
    turn = step(text, turn);
    if (kind !== upper) given = turn;
  }
  const end = runEnd(text, turn, lowerish);
  return end > turn ? end : given;
}

function digitsEnd(text: string, start: number): number {
  let index = start;
  for (let taken = 0; taken < 3 && index < text.length && classAt(text, index) === digit; taken += 1) {
    index = step(text, index);
  }
  return index;
}

function blanksEnd(text: string, start: number): number {
  let index = start;
  let lastNewline = start;
  while (index < text.length) {
    const kind = classAt(text, index);
    if (!belongs(blanks, kind)) break;
    index += 1;
    if (kind === newline) lastNewline = index;
  }
  if (lastNewline > start) return lastNewline;
  return index < text.length && index > start + 1 ? index - 1 : index;
}
