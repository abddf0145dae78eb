// Which number does a chapter's name carry? 第十二回, 第3章, Chapter 4, Chapter IV, 07-storm; undefined where there is none.
import { chineseNumber } from './chinese-number.js';
import { romanNumber } from './numerals.js';

const numeral = '[0-9零〇一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟廿卅]+';
const ordinal = new RegExp(`第\\s*(${numeral})\\s*[回章节卷部幕集话篇折出]`, 'u');
const english = /\b(?:chapter|part|book|volume|act|scene|episode)[\s_.-]*([0-9]+|[ivxlc]+)\b/;
const leading = new RegExp(`^\\s*(?:(${numeral})|卷\\s*(${numeral}))(?=$|[\\s._、．:：)）-])`, 'u');
const leadingDigits = /^\s*([0-9]+)/;

export function chapterNumber(name: string): number | undefined {
  const folded = name.normalize('NFKC').toLowerCase();
  for (const pattern of [ordinal, english, leading, leadingDigits]) {
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
