// Does a constraint keep something back until a chapter?

import { numeral, readNumeral } from '../documents/numerals.js';
import type { DeclaredCheck } from './check.js';
import { quotedTerms } from './constraint-wording.js';
import { withoutArticle } from './read-words.js';

const chapterBound = new RegExp(
  `在?(?:第(${numeral})章)(?:之前|以前|前)|直到第(${numeral})章|\\b(?:before|until|prior to) (?:chapter|ch\\.?) ?(${numeral})`,
  'iu',
);
const unknowing =
  /(?:还|并|都|尚|仍)?(?:不知道|不知晓|不知情|不知|不能知道|不得知道|不可知道|不应知道|不会知道|不该知道|不了解|不明白|不能发现|不得发现|不能得知|不得得知|才(?:会|能)?(?:知道|得知|发现|明白|知晓|了解))|\b(?:does not|doesn['’]t|do not|don['’]t|must not|cannot|can['’]t|should not|may not|only|will not|won['’]t) (?:know|learn|find out|discover|realize|understand)s?(?: about| of| that)?|\bis unaware (?:of|that)|\blearns?\b/iu;
const telling =
  /(?:提到|提及|出现|透露|揭示|揭露|泄露|泄漏|说出|暴露|写到|提起|点破|公开)|\b(?:mention(?:ed)?|reveal(?:ed)?|appear|show|name|introduce|disclose|use|tell)\b/iu;
const protagonist = /^(?:主角|男主角?|女主角?|主人公|the (?:protagonist|hero|heroine|main character))$/iu;

export function readEarlyFact(wording: string): DeclaredCheck | undefined {
  const bound = chapterBound.exec(wording);
  const number = bound?.[1] ?? bound?.[2] ?? bound?.[3];
  const chapter = number === undefined ? undefined : readNumeral(number);
  if (bound === null || chapter === undefined || chapter < 1) return undefined;
  const rest = tidy(wording.replace(bound[0], ' '));
  const unknown = unknowing.exec(rest);
  const quotedWords = quotedTerms(rest).map((term) => withoutArticle(term.text));
  if (unknown !== null) return knownBy(rest, unknown, chapter);
  const tell = telling.exec(rest);
  if (tell === null) return undefined;
  if (quotedWords.length > 0) return { kind: 'early-fact', chapter, keywords: quotedWords };
  const object = objectOf(rest.slice(tell.index + tell[0].length));
  return object === undefined ? undefined : { kind: 'early-fact', chapter, keywords: [object] };
}

function knownBy(rest: string, unknown: RegExpExecArray, chapter: number): DeclaredCheck | undefined {
  const known = objectOf(rest.slice(unknown.index + unknown[0].length));
  if (known === undefined) return undefined;
  const knower = tidy(rest.slice(0, unknown.index)).replace(/(?:一直|始终|都|还|仍|绝对|必须)$/u, '');
  const isName =
    knower !== '' && !protagonist.test(knower) && /^(?:\p{sc=Han}{1,6}|[\p{L} '’-]{1,40})$/u.test(knower);
  return { kind: 'early-fact', chapter, known, ...(isName ? { knower } : {}) };
}

function objectOf(text: string): string | undefined {
  const phrase = tidy(text.replace(/[“”「」『』"]/gu, ''))
    .split(/[，。；,.;\n]/u)[0]!
    .trim();
  const object = withoutArticle(phrase.replace(/的(?:存在|事|事情|消息|秘密)$/u, ''));
  return object === '' || object.length > 60 ? undefined : object;
}

function tidy(text: string): string {
  return text.replace(/^[\s，,、：:。.]+|[\s，,、：:。.]+$/gu, '').replace(/\s+/gu, ' ');
}
