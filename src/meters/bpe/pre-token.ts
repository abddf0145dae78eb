// Where the pre-token that starts at an index ends: the encodings' patterns as one linear scan, because a regular
// expression engine gives up on runs of many megabytes.
import { caseless, classAt, digit, lower, mark, newline, slash, space, upper } from './character-class.js';
import type { EncodingName } from './encoder.js';

const contraction = /'(?:[st\u017fmd]|re|ve|ll)/iy;

const isLetter = (kind: number): boolean => kind === upper || kind === lower || kind === caseless;
const isUpperish = (kind: number): boolean => kind === upper || kind === caseless || kind === mark;
const isLowerish = (kind: number): boolean => kind === lower || kind === caseless || kind === mark;
const isSpace = (kind: number): boolean => kind === space || kind === newline;
const isSign = (kind: number): boolean => !isSpace(kind) && !isLetter(kind) && kind !== digit;
const mayLead = (kind: number): boolean => kind !== newline && kind !== digit && !isLetter(kind);

export function preTokenEnd(text: string, start: number, encoding: EncodingName): number {
  const first = classAt(text, start);
  const word = encoding === 'o200k_base' ? casedWordEnd(text, start) : plainWordEnd(text, start);
  if (word > start) return word;
  if (first === digit) return digitsEnd(text, start);
  const signs = signsEnd(text, start, encoding);
  return signs > start ? signs : spacesEnd(text, start);
}

function step(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const pair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
  return index + (pair ? 2 : 1);
}

function runEnd(text: string, start: number, belongs: (kind: number) => boolean): number {
  let index = start;
  while (index < text.length && belongs(classAt(text, index))) index = step(text, index);
  return index;
}

function contractionEnd(text: string, start: number): number {
  contraction.lastIndex = start;
  return contraction.test(text) ? contraction.lastIndex : start;
}

function plainWordEnd(text: string, start: number): number {
  const short = contractionEnd(text, start);
  if (short > start) return short;
  const body = mayLead(classAt(text, start)) ? step(text, start) : start;
  const end = runEnd(text, body, isLetter);
  return end > body ? end : start;
}

function casedWordEnd(text: string, start: number): number {
  const bodies = mayLead(classAt(text, start)) ? [step(text, start), start] : [start];
  for (const match of [lowerWordEnd, upperWordEnd]) {
    for (const body of bodies) {
      const end = match(text, body);
      if (end > body) return contractionEnd(text, end);
    }
  }
  return start;
}

/** Upper case, then at least one that may stand in lower case: the last caseless one is given back if need be. */
function lowerWordEnd(text: string, body: number): number {
  let turn = body;
  let given = body;
  while (turn < text.length) {
    const kind = classAt(text, turn);
    if (!isUpperish(kind)) break;
    turn = step(text, turn);
    if (kind !== upper) given = turn;
  }
  const end = runEnd(text, turn, isLowerish);
  return end > turn ? end : given;
}

function upperWordEnd(text: string, body: number): number {
  const turn = runEnd(text, body, isUpperish);
  return turn === body ? body : runEnd(text, turn, isLowerish);
}

function digitsEnd(text: string, start: number): number {
  let index = start;
  for (let taken = 0; taken < 3 && index < text.length && classAt(text, index) === digit; taken += 1) {
    index = step(text, index);
  }
  return index;
}

function signsEnd(text: string, start: number, encoding: EncodingName): number {
  const body = text.charCodeAt(start) === 0x20 ? start + 1 : start;
  const end = runEnd(text, body, isSign);
  if (end === body) return start;
  const slashes = encoding === 'o200k_base';
  return runEnd(text, end, (kind) => kind === newline || (slashes && kind === slash));
}

function spacesEnd(text: string, start: number): number {
  let index = start;
  let lastNewline = start;
  while (index < text.length) {
    const kind = classAt(text, index);
    if (!isSpace(kind)) break;
    index += 1;
    if (kind === newline) lastNewline = index;
  }
  if (lastNewline > start) return lastNewline;
  return index < text.length && index > start + 1 ? index - 1 : index;
}
