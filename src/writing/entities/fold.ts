// When do two spellings count as one? Width, case, blanks and name dots do not matter; every code point stays in its place.

const nameDots = new Set(['·', '•', '‧', '・', '･', '∙', '⋅']);

export function foldCodePoint(point: string): string {
  const code = point.codePointAt(0)!;
  if (code < 0x80)
    return code >= 0x41 && code <= 0x5a ? String.fromCharCode(code + 32) : code <= 0x20 ? ' ' : point;
  // Han and most of the BMP above it have neither case nor width.
  if (code >= 0x3400 && code <= 0x9fff) return point;
  const narrow = code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - 0xfee0) : point;
  if (nameDots.has(narrow)) return '·';
  if (narrow === '\u2019' || narrow === '\u2018') return "'";
  if (/\s/.test(narrow)) return ' ';
  const lower = narrow.toLowerCase();
  return [...lower].length === 1 ? lower : narrow;
}

const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー々〇]/u;
const letter = /[\p{L}\p{N}\p{M}_]/u;

/** Letters and digits of scripts that put blanks between words. */
export function isSpacedLetter(point: string | undefined): boolean {
  if (point === undefined) return false;
  const code = point.codePointAt(0)!;
  if (code < 0x80) return /\w/.test(point);
  return letter.test(point) && !unspaced.test(point);
}
