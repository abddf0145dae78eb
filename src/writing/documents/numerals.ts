// Which number do these words say? Digits, Chinese numerals, Roman ones and small English number words.
import { chineseNumber } from './chinese-number.js';

const english =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const romans: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
const tens: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  eighty: 80,
  hundred: 100,
};

/** Pattern for a number in a constraint. */
export const numeral = '(?:[0-9０-９][0-9０-９,，]*|[零〇一二两三四五六七八九十百千万]+|[A-Za-z]+)';

export function readNumeral(text: string): number | undefined {
  const plain = text.normalize('NFKC').replaceAll(',', '').toLowerCase();
  if (/^[0-9]+$/.test(plain)) return Number(plain);
  if (/^[a-z]+$/.test(plain)) {
    const index = english.indexOf(plain);
    return index >= 0 ? index : tens[plain];
  }
  return chineseNumber(plain);
}

export function romanNumber(text: string): number | undefined {
  let total = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = romans[text.charAt(index)] ?? 0;
    total += value < (romans[text.charAt(index + 1)] ?? 0) ? -value : value;
  }
  return total > 0 ? total : undefined;
}

/** The number of a chapter or part, which may be Roman. */
export function ordinalNumber(text: string): number | undefined {
  return /^[ivxlc]+$/iu.test(text) ? romanNumber(text.toLowerCase()) : readNumeral(text);
}
