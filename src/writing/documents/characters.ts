// Which kind of character is this? Small closed sets, asked by code unit while scanning.

const closers = new Set('”’」』）】》〉〕］｝)]}»›"\'＂');
const stops = new Set('。！？｡．!?.…‥');

export function isCloser(character: string): boolean {
  return closers.has(character);
}

export function isStop(character: string): boolean {
  return stops.has(character);
}

export function isBlank(character: string): boolean {
  return character !== '' && /\s/.test(character);
}

export function isDigit(character: string): boolean {
  return (character >= '0' && character <= '9') || (character >= '０' && character <= '９');
}

/** Han, kana, hangul and their punctuation: scripts that put no space between sentences. */
export function isEastAsian(character: string): boolean {
  const unit = character.charCodeAt(0);
  return (
    (unit >= 0x2e80 && unit <= 0xa4cf) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xfe30 && unit <= 0xfe4f) ||
    (unit >= 0xff00 && unit <= 0xffef) ||
    (unit >= 0xd840 && unit <= 0xd88f)
  );
}
