// Which number do these words say? Digits, Chinese numerals and small English number words.

const digits: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const places: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000 };
const english =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
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
  return readChinese(plain);
}

function readChinese(text: string): number | undefined {
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  for (const point of text) {
    const value = digits[point];
    const place = places[point];
    if (value !== undefined) digit = digit === undefined ? value : digit * 10 + value;
    else if (place === undefined) return undefined;
    else if (place === 10_000) {
      total = (total + section + (digit ?? 0)) * place;
      section = 0;
      digit = undefined;
    } else {
      section += (digit ?? 1) * place;
      digit = undefined;
    }
  }
  return text === '' ? undefined : total + section + (digit ?? 0);
}
