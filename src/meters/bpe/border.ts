// Where a text may be cut so that its parts cost exactly what the whole costs, whatever stands around them.
// Each rule follows from the pre-tokenisers: a letter or digit only ever continues with more of its kind (a letter
// also with marks or a contraction), and a newline only with white space or slashes. None looks behind.
import {
  apostrophe,
  caseless,
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

const letters = [upper, lower, caseless];
const rules: readonly (readonly [before: readonly number[], notAfter: readonly number[]])[] = [
  [letters, [...letters, mark, apostrophe, surrogate]],
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
