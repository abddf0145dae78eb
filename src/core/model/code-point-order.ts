// The one order of names: by code point, the same in every locale.

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
