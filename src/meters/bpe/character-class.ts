// Which class of the pre-tokenisers a UTF-16 unit belongs to. Built on first use; surrogates are a class of their
// own, and `classAt` resolves pairs.

export const upper = 1;
export const lower = 2;
export const caseless = 3;
export const mark = 4;
export const digit = 5;
export const space = 6;
export const newline = 7;
export const slash = 8;
export const apostrophe = 9;
export const other = 10;
export const surrogate = 11;

const patterns: readonly (readonly [number, RegExp])[] = [
  [upper, /[\p{Lu}\p{Lt}]+/gu],
  [lower, /\p{Ll}+/gu],
  [caseless, /[\p{Lm}\p{Lo}]+/gu],
  [mark, /\p{M}+/gu],
  [digit, /\p{N}+/gu],
  [space, /\p{White_Space}+/gu],
];

let table = new Uint8Array(0);
const pairs = new Map<number, number>();

export function unitClasses(): Uint8Array {
  if (table.length === 0) table = buildTable();
  return table;
}

/** The class of the code point that starts at the index. */
export function classAt(text: string, index: number): number {
  const known = table[text.charCodeAt(index)] ?? unitClasses()[text.charCodeAt(index)]!;
  if (known !== surrogate) return known;
  const point = text.codePointAt(index)!;
  if (point < 0x10000) return other;
  let found = pairs.get(point);
  if (found === undefined) {
    const character = String.fromCodePoint(point);
    found = patterns.find(([, pattern]) => character.search(pattern) === 0)?.[0] ?? other;
    pairs.set(point, found);
  }
  return found;
}

function unitsBetween(from: number, to: number): string {
  let text = '';
  for (let unit = from; unit < to; unit += 1) text += String.fromCharCode(unit);
  return text;
}

function buildTable(): Uint8Array<ArrayBuffer> {
  const classes = new Uint8Array(0x10000).fill(other);
  const low = unitsBetween(0, 0xd800);
  const high = unitsBetween(0xe000, 0x10000);
  for (const [value, pattern] of patterns) {
    for (const run of low.matchAll(pattern)) classes.fill(value, run.index, run.index + run[0].length);
    for (const run of high.matchAll(pattern)) {
      classes.fill(value, 0xe000 + run.index, 0xe000 + run.index + run[0].length);
    }
  }
  classes.fill(surrogate, 0xd800, 0xe000);
  classes[0x0a] = newline;
  classes[0x0d] = newline;
  classes[0x2f] = slash;
  classes[0x27] = apostrophe;
  return classes;
}
