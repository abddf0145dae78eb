// Which number do these words say? Digits, Chinese numerals, Roman ones and small English number words.

// Which number does a chapter's name carry? 第十二回, 第3章, Chapter 4, Chapter IV, 07-storm; undefined where there is none.
const chapterNumeral = '[0-9零〇一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟廿卅]+';
const ordinal = new RegExp(`第\\s*(${chapterNumeral})\\s*[回章节卷部幕集话篇折出]`, 'u');
const englishChapter = /\b(?:chapter|part|book|volume|act|scene|episode)[\s_.-]*([0-9]+|[ivxlc]+)\b/;
const leading = new RegExp(
  `^\\s*(?:(${chapterNumeral})|卷\\s*(${chapterNumeral}))(?=$|[\\s._、．:：)）-])`,
  'u',
);
const leadingDigits = /^\s*([0-9]+)/;

export function chapterNumber(name: string): number | undefined {
  const folded = name.normalize('NFKC').toLowerCase();
  for (const pattern of [ordinal, englishChapter, leading, leadingDigits]) {
    const match = pattern.exec(folded);
    const found = match?.[1] ?? match?.[2];
    const value = found === undefined ? undefined : numberOf(found);
    if (value !== undefined) return value;
  }
  return undefined;
}

function numberOf(text: string): number | undefined {
  if (/^[0-9]+$/.test(text)) return Number(text);
  if (/^[ivxlc]+$/.test(text)) return romanNumber(text);
  return chineseNumber(text);
}

const englishNumbers =
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
    const index = englishNumbers.indexOf(plain);
    return index >= 0 ? index : tens[plain];
  }
  return chineseNumber(plain);
}

function romanNumber(text: string): number | undefined {
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

// Which number do Chinese numerals say? 十二, 一二〇, 三万五千, 贰拾, 廿三; undefined where they say none.
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
  壹: 1,
  贰: 2,
  叁: 3,
  肆: 4,
  伍: 5,
  陆: 6,
  柒: 7,
  捌: 8,
  玖: 9,
};
const units: Readonly<Record<string, number>> = { 十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1000, 仟: 1000 };
const shorthands: Readonly<Record<string, number>> = { 廿: 20, 卅: 30 };

function chineseNumber(text: string): number | undefined {
  if (!/^[0-9零〇一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟廿卅]+$/u.test(text)) return undefined;
  const characters = [...text];
  // 一二〇 is written digit by digit.
  if (characters.every((character) => digits[character] !== undefined)) {
    return Number(characters.map((character) => digits[character]).join(''));
  }
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  for (const character of characters) {
    const unit = units[character];
    if (character === '万') {
      total += (section + (digit ?? 0) || 1) * 10_000;
      section = 0;
      digit = undefined;
    } else if (unit !== undefined) {
      section += (digit ?? 1) * unit;
      digit = undefined;
    } else if (shorthands[character] !== undefined) section += shorthands[character];
    else if (/[0-9]/.test(character)) digit = (digit ?? 0) * 10 + Number(character);
    else digit = digits[character];
  }
  return total + section + (digit ?? 0);
}
