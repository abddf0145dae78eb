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

export function chineseNumber(text: string): number | undefined {
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
