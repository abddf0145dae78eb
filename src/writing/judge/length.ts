// Does a constraint set a length?
import { numeral, readNumeral } from '../documents/numerals.js';
import type { DeclaredCheck, Hit, RuleOf } from './check.js';

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

// Is the text, a paragraph or a sentence too long or too short? Chinese characters count one each, and so does a run of
// Latin letters or digits among them; blanks never count.
interface Piece {
  readonly start: number;
  readonly text: string;
}

const units = {
  characters: /[A-Za-z0-9]+|[^\s]/gu,
  'code-points': /[\s\S]/gu,
  words: /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu,
} as const;
const names = {
  characters: { zh: '字', en: 'characters' },
  'code-points': { zh: '字符', en: 'characters' },
  words: { zh: '词', en: 'words' },
} as const;
const pieces = {
  text: /[\s\S]+/gu,
  paragraph: /[^\n]+/gu,
  sentence: /[^。！？!?\n]*?(?:[。！？!?]+|\.(?=\s|["”’']|$)|\n|$)[”"’'」』）)]*/gu,
} as const;

export function findLength(text: string, rule: RuleOf<'length'>): readonly Hit[] {
  return split(text, rule.each).flatMap((piece) => {
    const marks = [...piece.text.matchAll(units[rule.unit])];
    const { max, min } = rule;
    if (max !== undefined && marks.length > max) {
      const last = marks.at(-1)!;
      const start = piece.start + marks[max]!.index;
      const end = piece.start + last.index + last[0].length;
      return [
        { start, end, message: worded(rule.unit, marks.length, { zh: `最多${max}`, en: `at most ${max}` }) },
      ];
    }
    if (min !== undefined && marks.length < min) {
      const start = piece.start;
      const end = start + piece.text.length;
      return [
        { start, end, message: worded(rule.unit, marks.length, { zh: `至少${min}`, en: `at least ${min}` }) },
      ];
    }
    return [];
  });
}

function worded(
  unit: RuleOf<'length'>['unit'],
  count: number,
  bound: { zh: string; en: string },
): Hit['message'] {
  return {
    zh: `共${count}${names[unit].zh}，要求${bound.zh}${names[unit].zh}。`,
    en: `Has ${count} ${names[unit].en}; ${bound.en} are asked for.`,
  };
}

function split(text: string, each: RuleOf<'length'>['each']): readonly Piece[] {
  if (each === 'text') return [{ start: 0, text }];
  return Array.from(text.matchAll(pieces[each]), (match) => ({ start: match.index, text: match[0] })).filter(
    (piece) => /[\p{L}\p{N}]/u.test(piece.text),
  );
}
