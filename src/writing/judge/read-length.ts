// Does a constraint set a length?

import { numeral, readNumeral } from '../documents/numerals.js';
import type { DeclaredCheck } from './check.js';

const zhUnit = '(?:个)?(汉字|字符|字|词)';
const zhMax = new RegExp(
  `(?:不超过|不得超过|不能超过|不要超过|不多于|不可超过|至多|最多|不大于|不得多于|(?<![不得能要])少于|(?<!不)小于|限)\\s*(${numeral})\\s*${zhUnit}`,
  'u',
);
const zhWithin = new RegExp(`(${numeral})\\s*${zhUnit}(?:以内|之内|以下|内)`, 'u');
const zhMin = new RegExp(
  `(?:不少于|不得少于|不能少于|不要少于|至少|最少|不低于|不小于|不得低于)\\s*(${numeral})\\s*${zhUnit}`,
  'u',
);
const zhAbove = new RegExp(`(${numeral})\\s*${zhUnit}以上`, 'u');
const zhRange = new RegExp(
  `(${numeral})\\s*(?:个?字)?\\s*(?:到|至|-|—|~|～)\\s*(${numeral})\\s*${zhUnit}`,
  'u',
);
const enUnit = '(words?|characters?|letters)';
const enMax = new RegExp(
  `\\b(?:at most|no more than|not more than|no longer than|longer than|maximum(?: of)?|max\\.?|up to|within|(?:not |never )?exceed(?:ing|s)?|under|below|fewer than|less than|limit(?:ed)? (?:it )?to)\\s+(${numeral})\\s+${enUnit}`,
  'iu',
);
const enMin = new RegExp(
  `\\b(?:at least|no fewer than|no less than|not less than|minimum(?: of)?|min\\.?|shorter than)\\s+(${numeral})\\s+${enUnit}`,
  'iu',
);
const enRange = new RegExp(
  `\\b(?:between\\s+)?(${numeral})\\s*(?:to|and|-|–)\\s*(${numeral})\\s+${enUnit}`,
  'iu',
);
/** Strictly less: the limit itself is too much. */
const strict = /^(?:少于|小于|under|below|fewer than|less than)/iu;

export function readLength(wording: string): DeclaredCheck | undefined {
  // How speech is counted would need to be told first.
  if (/对白|对话|台词|\bdialogue\b/iu.test(wording)) return undefined;
  const range = zhRange.exec(wording) ?? enRange.exec(wording);
  const top = zhMax.exec(wording) ?? zhWithin.exec(wording) ?? enMax.exec(wording);
  const bottom = zhMin.exec(wording) ?? zhAbove.exec(wording) ?? enMin.exec(wording);
  const unitWord = (range?.[3] ?? top?.[2] ?? bottom?.[2] ?? '').toLowerCase();
  const low = range === null ? bottom : range;
  const min = low === null ? undefined : readNumeral(low[1]!);
  const max = range !== null ? readNumeral(range[2]!) : top === null ? undefined : maxOf(top);
  if (min === undefined && max === undefined) return undefined;
  return {
    kind: 'length',
    unit: /^w|词/u.test(unitWord) ? 'words' : /^[cl]/u.test(unitWord) ? 'code-points' : 'characters',
    each: /每(?:一)?(?:个)?(?:段|自然段)|\bparagraphs?\b/iu.test(wording)
      ? 'paragraph'
      : /每(?:一)?(?:个)?句|单句|句子|\bsentences?\b/iu.test(wording)
        ? 'sentence'
        : 'text',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
}

function maxOf(match: RegExpExecArray): number | undefined {
  const value = readNumeral(match[1]!);
  return value !== undefined && strict.test(match[0]) ? Math.max(0, value - 1) : value;
}
