// A token estimate without a tokenizer, for when one fails or is too slow: it follows the shape of pre-tokens (words,
// numbers, signs, white space) and charges scripts by the character. Weights are hundredths of a token, calibrated
// so that realistic text never weighs less than in o200k_base.
import type { Meter } from '../core/model/meter.js';
import { digit, lower, newline, space, unitClasses, upper } from './bpe/character-class.js';
import { commonHan, firstHan, lastHan } from './common-han.js';

// A run costs its start and less than a start for each further unit, so runs cost no more joined than apart.
const word = 130;
const lettersInWord = 4;
const furtherLetter = 20;
const furtherCapital = 32;
/** A word that leans on a letter or digit before it: camel case, base64, hashes. */
const gluedWord = 55;
const digitGroup = 100;
const sign = 115;
const furtherSign = 45;
const blank = 115;
const furtherBlank = 8;

const commonHanWeight = 100;
const otherHanWeight = 200;
const scripts: readonly (readonly [from: number, to: number, weight: number])[] = [
  [0x80, 0x24f, 110],
  [0x250, 0x7ff, 52],
  [0x800, 0xffff, 125],
  [0x3000, 0x303f, 120],
  [0x3040, 0x30ff, 80],
  [0xac00, 0xd7a3, 85],
  [0xd800, 0xdfff, 130],
];
let weights: Uint8Array | undefined;

const behind = 0xffff;
/** Below this length a text is read sooner than copied. */
const shortText = 48;
const firstScratch = 1 << 14;
const mostScratch = 1 << 20;
let scratch = new Uint16Array(firstScratch);

export const cjkEstimateMeter: Meter = {
  id: 'cjk-estimate',
  unit: 'tokens',
  exact: false,
  scale: 100,
  weigh,
  seam(left, right) {
    const classes = unitClasses();
    const before = left.charCodeAt(left.length - 1);
    const after = right.charCodeAt(0);
    if (left === '' || right === '') return 0;
    if (classes[after] === digit) return classes[before] === space ? blank : 0;
    return isAsciiLetter(after, classes[after]!) && leansOn(before, classes[before]!) ? gluedWord : 0;
  },
};

function weigh(text: string): number {
  const { length } = text;
  return weighUnits(unitsOf(text), length);
}

/** The units of a text where reading them is cheap; one that is neither blank nor digit stands behind the last. */
function unitsOf(text: string): Uint16Array {
  const { length } = text;
  if (length >= scratch.length) scratch = new Uint16Array(2 * length);
  const units = scratch;
  if (scratch.length > mostScratch) scratch = new Uint16Array(firstScratch);
  if (length < shortText)
    for (let index = 0; index < length; index += 1) units[index] = text.charCodeAt(index);
  else Buffer.from(units.buffer, 0, 2 * length).write(text, 'utf16le');
  units[length] = behind;
  return units;
}

function weighUnits(units: Uint16Array, length: number): number {
  const classes = unitClasses();
  weights ??= scriptWeights();
  let total = 0;
  let index = 0;
  let afterSign = false;
  while (index < length) {
    const unit = units[index]!;
    const kind = classes[unit]!;
    const start = index;
    if (kind === space || kind === newline) {
      // Newlines right after signs share their token.
      if (afterSign) while (classes[units[index]!] === newline) index += 1;
      const end = blanksEnd(units, index, classes);
      total += blanks(units, index, { end, isLast: end === length });
      index = end;
      afterSign = false;
    } else if (kind === digit) {
      index += 1;
      while (classes[units[index]!] === digit) index += 1;
      total += Math.ceil((index - start) / 3) * digitGroup;
      afterSign = false;
    } else if (unit >= 0x80) {
      total += weights[unit]!;
      index += 1;
      afterSign = false;
    } else if (isAsciiLetter(unit, kind)) {
      index = wordEnd(units, start, classes);
      const capitals = classes[units[index - 1]!] === upper;
      const further = Math.max(0, index - start - lettersInWord);
      total += word + further * (capitals ? furtherCapital : furtherLetter);
      const before = start === 0 ? 0 : units[start - 1]!;
      if (leansOn(before, classes[before]!)) total += gluedWord;
      afterSign = false;
    } else {
      total += afterSign ? furtherSign : sign;
      index += 1;
      afterSign = true;
    }
  }
  return total;
}

function isAsciiLetter(unit: number, kind: number): boolean {
  return unit < 0x80 && (kind === lower || kind === upper);
}

function leansOn(unit: number, kind: number): boolean {
  return unit < 0x80 && (kind === lower || kind === upper || kind === digit);
}

function wordEnd(units: Uint16Array, start: number, classes: Uint8Array): number {
  let index = start;
  let lowered = false;
  for (; ; index += 1) {
    const unit = units[index]!;
    if (unit >= 0x80) break;
    const kind = classes[unit]!;
    if (kind === lower) lowered = true;
    else if (kind !== upper || lowered) break;
  }
  return index;
}

function blanksEnd(units: Uint16Array, start: number, classes: Uint8Array): number {
  let index = start;
  while (classes[units[index]!] === space || classes[units[index]!] === newline) index += 1;
  return index;
}

/** Lines end in one unit, indentation is another; the last space belongs to a word or sign, but not to a number. */
function blanks(
  units: Uint16Array,
  start: number,
  { end, isLast }: { end: number; isLast: boolean },
): number {
  let turn = end;
  while (turn > start && units[turn - 1] !== 0x0a && units[turn - 1] !== 0x0d) turn -= 1;
  const lines = turn - start;
  const rest = end - turn;
  const lineWeight = lines > 0 ? blank + (lines - 1) * furtherBlank : 0;
  if (rest === 0) return lineWeight;
  const run = blank + (rest - 1) * furtherBlank;
  if (isLast) return lineWeight + run;
  if (unitClasses()[units[end]!] !== digit) return lineWeight + (rest > 1 ? run - furtherBlank : 0);
  return lineWeight + run + (rest > 1 ? blank - furtherBlank : 0);
}

function scriptWeights(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [from, to, weight] of scripts) table.fill(weight, from, to + 1);
  const isCommon = commonHan();
  for (let unit = firstHan; unit <= lastHan; unit += 1) {
    table[unit] = isCommon(unit) ? commonHanWeight : otherHanWeight;
  }
  return table;
}
