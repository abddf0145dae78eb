// UTF-8 sizes without an encoder.

export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
      continue;
    }
    bytes += 2;
    const next = unit >= 0xd800 && unit < 0xdc00 ? text.charCodeAt(index + 1) : 0;
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
