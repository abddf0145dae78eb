// Text by its code points: the one order of names, the same in every locale, and sizes in UTF-8 without an encoder.

export function byCodePoint(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // UTF-16 order differs from code-point order only between surrogates and the units above them.
    if (a >= 0xd800 && b >= 0xd800) return adjusted(a) - adjusted(b);
    return a - b;
  }
  return left.length - right.length;
}

function adjusted(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

const beyondAscii = /[\u0080-\uffff]/;
const surrogate = /[\ud800-\udfff]/;
/** Below this length looking ahead costs more than it saves. */
const shortText = 64;

/** UTF-8 sizes without an encoder. */
export function utf8Length(text: string): number {
  // Most long texts are ASCII to the end or nearly so.
  const first = text.length < shortText ? 0 : text.search(beyondAscii);
  return first < 0 ? text.length : first + utf8LengthBetween(text, first, text.length);
}

/** The same for parts of one text. */
export function utf8LengthsIn(text: string): (from: number, to: number) => number {
  if (!beyondAscii.test(text)) return (from, to) => to - from;
  if (surrogate.test(text)) return (from, to) => utf8LengthBetween(text, from, to);
  return (from, to) => {
    let bytes = to - from;
    for (let index = from; index < to; index += 1) {
      const unit = text.charCodeAt(index);
      bytes += unit < 0x80 ? 0 : unit < 0x800 ? 1 : 2;
    }
    return bytes;
  };
}

function utf8LengthBetween(text: string, from: number, to: number): number {
  let bytes = to - from;
  for (let index = from; index < to; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
      continue;
    }
    bytes += 2;
    const next = unit >= 0xd800 && unit < 0xdc00 && index + 1 < to ? text.charCodeAt(index + 1) : 0;
    // A pair is four bytes for two units.
    if (next >= 0xdc00 && next < 0xe000) index += 1;
  }
  return bytes;
}

/** The given index, or the one before it where it would split a surrogate pair. */
export function codePointBorder(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  return unit >= 0xdc00 && unit < 0xe000 && before >= 0xd800 && before < 0xdc00 ? index - 1 : index;
}
