// Does a constraint forbid punctuation marks?
import type { DeclaredCheck, punctuationMarks } from './check.js';
import { plainBans } from './constraint-wording.js';

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
