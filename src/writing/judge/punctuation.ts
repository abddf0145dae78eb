// Does a constraint forbid punctuation marks?
import type { DeclaredCheck, Hit, punctuationMarks, RuleOf } from './check.js';
import { plainBans } from './constraint-wording.js';
import { dialogueOf, narrationOf } from './narration.js';

const markNames: readonly (readonly [(typeof punctuationMarks)[number], RegExp])[] = [
  ['exclamation', /感叹号|惊叹号|叹号|exclamation (?:mark|point)s?/iu],
  ['ellipsis', /省略号|\bellips[ie]s\b/iu],
  ['dash', /破折号|\b(?:em|en)?[- ]?dash(?:es)?\b/iu],
  ['question', /问号|question marks?/iu],
  ['semicolon', /分号|semi-?colons?/iu],
  ['colon', /冒号|(?<!semi-?)\bcolons?\b/iu],
  ['parenthesis', /(?<!书名)括号|parenthes[ie]s|brackets/iu],
];

export function readPunctuation(wording: string): DeclaredCheck | undefined {
  const clauses = plainBans(wording);
  const marks = markNames
    .filter(([, name]) => clauses.some((clause) => name.test(clause)))
    .map(([mark]) => mark);
  return marks.length === 0 ? undefined : { kind: 'forbidden-punctuation', marks, where: whereOf(wording) };
}

function whereOf(wording: string): 'everywhere' | 'narration' | 'dialogue' {
  if (
    /(?:对白|对话|台词|引号)(?:之外|以外|外)|除(?:了)?(?:对白|对话)|叙述(?:中|里|部分)|旁白|outside (?:of )?dialogue|except in dialogue|in (?:the )?narration/iu.test(
      wording,
    )
  ) {
    return 'narration';
  }
  return /(?:对白|对话|台词)(?:中|里|内)|in dialogue/iu.test(wording) ? 'dialogue' : 'everywhere';
}

// Where does a forbidden mark stand? Every width and every way of typing it; not inside numbers, operators or ranges.
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
