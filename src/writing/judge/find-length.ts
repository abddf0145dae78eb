// Is the text, a paragraph or a sentence too long or too short? Chinese characters count one each, and so does a run of
// Latin letters or digits among them; blanks never count.
import type { Hit, RuleOf } from './check.js';

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
