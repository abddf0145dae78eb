// Where pre-tokens end, as one linear scan, because a regular expression engine is slower and gives up on runs of many megabytes;
// and where a text may be cut so that its parts cost exactly what the whole costs.
import {
  apostrophe,
  caseless,
  classAt,
  digit,
  lower,
  mark,
  newline,
  slash,
  space,
  surrogate,
  unitClasses,
  upper,
} from './character-class.js';
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

const letterClasses = [upper, lower, caseless];
const rules: readonly (readonly [before: readonly number[], notAfter: readonly number[]])[] = [
  [letterClasses, [...letterClasses, mark, apostrophe, surrogate]],
  [[digit], [digit, surrogate]],
  [[newline], [newline, space, slash]],
];

const borders = new Uint8Array(256);
for (const [befores, notAfter] of rules) {
  for (const before of befores) {
    for (let after = 1; after < 16; after += 1) {
      if (!notAfter.includes(after)) borders[before * 16 + after] = 1;
    }
  }
}

/**
 * Where a text may be cut so that its parts cost exactly what the whole costs, whatever stands around them.
 * Each rule follows from the pre-tokenisers: a letter or digit only ever continues with more of its kind (a letter
 * also with marks or a contraction), and a newline only with white space or slashes. None looks behind.
 */
export function isBorder(before: number, after: number): boolean {
  const classes = unitClasses();
  return borders[classes[before]! * 16 + classes[after]!] === 1;
}

/** The first border after the index, or the end of the text. */
export function borderAfter(text: string, index: number): number {
  const classes = unitClasses();
  let before = classes[text.charCodeAt(index)]!;
  for (let next = index + 1; next < text.length; next += 1) {
    const after = classes[text.charCodeAt(next)]!;
    if (borders[before * 16 + after] === 1) return next;
    before = after;
  }
  return text.length;
}

/** The last border before the index, or the start of the text. */
export function borderBefore(text: string, index: number): number {
  for (let next = index - 1; next > 0; next -= 1) {
    if (isBorder(text.charCodeAt(next - 1), text.charCodeAt(next))) return next;
  }
  return 0;
}
