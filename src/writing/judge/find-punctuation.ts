// Where does a forbidden mark stand? Every width and every way of typing it; not inside numbers, operators or ranges.
import type { Hit, RuleOf } from './check.js';
import { dialogueOf, narrationOf } from './narration.js';

type Mark = RuleOf<'forbidden-punctuation'>['marks'][number];

const patterns: Readonly<Record<Mark, RegExp>> = {
  exclamation: /[!！﹗‼⁉](?!=)[!！?？﹗]*/gu,
  ellipsis: /[…⋯]+|\.(?:[ \u00a0]?\.){2,}|。{2,}|[．・]{3,}/gu,
  dash: /(?<![0-9０-９零一二三四五六七八九十百千])(?:[—―⸺]+|(?<=[\p{L}\s”"’])--+(?=[\p{L}\s“"‘]))|[—―⸺]+(?![0-9０-９零一二三四五六七八九十百千—―⸺])/gu,
  question: /[?？﹖]+/gu,
  semicolon: /[;；]/gu,
  colon: /(?<!\d)[:：](?!\/\/)|[:：](?!\d|\/\/)/gu,
  parenthesis: /[()（）]/gu,
};

const names: Readonly<Record<Mark, { zh: string; en: string }>> = {
  exclamation: { zh: '感叹号', en: 'an exclamation mark' },
  ellipsis: { zh: '省略号', en: 'an ellipsis' },
  dash: { zh: '破折号', en: 'a dash' },
  question: { zh: '问号', en: 'a question mark' },
  semicolon: { zh: '分号', en: 'a semicolon' },
  colon: { zh: '冒号', en: 'a colon' },
  parenthesis: { zh: '括号', en: 'a parenthesis' },
};

export function findPunctuation(text: string, rule: RuleOf<'forbidden-punctuation'>): readonly Hit[] {
  const searched =
    rule.where === 'narration' ? narrationOf(text) : rule.where === 'dialogue' ? dialogueOf(text) : text;
  return rule.marks.flatMap((mark) =>
    Array.from(searched.matchAll(patterns[mark]), ({ index, 0: surface }) => ({
      start: index,
      end: index + surface.length,
      message: { zh: `使用了被禁止的${names[mark].zh}。`, en: `Uses ${names[mark].en}, which is forbidden.` },
    })),
  );
}
