// Does a constraint forbid words, or say that something does not exist in its world?

import { foldCodePoint, isSpacedLetter } from '../entities/story-words.js';
import type { DeclaredCheck, Hit, RuleOf } from './check.js';
import { forbidding, plainBans, quotedTerms } from './constraint-wording.js';

const world =
  /(?:世界|世上|世间|世界观|设定|宇宙|故事|书)(?:里|中|上|观)?[^，。；]{0,3}?(?:没有|不存在|并无|无)([^，。；“”「」的]{1,12})/u;
const worldEnglish =
  /\bno ((?:\w+)(?:(?:,| or| and|, or|, and) \w+){0,4}) (?:exists? )?in th(?:is|e) (?:world|story|setting|universe|book)\b|\b(?:world|story|setting|universe|book) has no ((?:\w+)(?:(?:,| or| and|, or|, and) \w+){0,4})|\bthere is no (\w+)(?: in th(?:is|e) (?:world|story|setting|universe|book))?/iu;
const bare =
  /(?:不要|不得|不能|不可|不许|禁止|避免|勿|严禁|不)(?:再)?(?:(?:出现|提到|提及)([^，。；“”「」的]{1,12}?)(?:等)?(?:词语|词汇|字眼|字样|一词|这个词|这些词|二字|$)|(?:使用|用)([^，。；“”「」的]{1,12}?)(?:等)?(?:词语|词汇|字眼|字样|一词|这个词|这些词|二字))/u;
const listed =
  /(?:禁用词|禁词|禁用词语|禁用词汇|违禁词|banned words?|forbidden words?)\s*[:：]\s*([^。；;\n]+)/iu;
const bareEnglish = /\bthe words? ((?:[a-z'’-]+)(?:(?:,? and |,? or |, )[a-z'’-]+){0,8})/iu;
const notAWord = /人称|视角|场景|主角|章|句|段|描写|修辞|比喻|标点|号$|字数|语气|格式|标题|口语|俗语|成语/u;

export function readWords(wording: string): DeclaredCheck | undefined {
  const clauses = plainBans(wording);
  const terms = clauses.flatMap((clause) => {
    const after = clause.search(forbidding);
    return quotedTerms(clause)
      .filter((term) => term.index > after || /(?:一词|不要|禁止|不得|banned|forbidden)/u.test(clause))
      .map((term) => withoutArticle(term.text));
  });
  const words = terms.length > 0 ? terms : [...listedTerms(wording), ...clauses.flatMap(bareTerms)];
  if (words.length > 0) return { kind: 'forbidden-words', words: [...new Set(words)] };
  const absent = absentThings(wording);
  return absent.length === 0 ? undefined : { kind: 'forbidden-words', words: absent, denialAllowed: true };
}

export function withoutArticle(term: string): string {
  return term.replace(/^(?:the|an?)\s+(?=\S)/iu, '');
}

function listedTerms(wording: string): readonly string[] {
  const list = listed.exec(wording)?.[1] ?? '';
  return list
    .split(/[、，,]|\s和\s|\s(?:and|or)\s/iu)
    .map((term) => term.replace(/[“”"'「」.]/gu, '').trim())
    .filter((term) => term !== '' && term.length <= 30);
}

function bareTerms(clause: string): readonly string[] {
  const english = bareEnglish.exec(clause)?.[1];
  if (english !== undefined) return english.split(/,? and |,? or |, /iu);
  const match = bare.exec(clause);
  const chinese = match?.[1] ?? match?.[2] ?? '';
  return chinese
    .split(/[、和或与]/u)
    .filter((term) => /^\p{sc=Han}{2,4}$/u.test(term) && !notAWord.test(term));
}

function absentThings(wording: string): string[] {
  const chinese = world.exec(wording)?.[1];
  if (chinese !== undefined) {
    const things = chinese
      .split(/[、和或与及]|也没有/u)
      .map((thing) => thing.replace(/^(?:任何|什么)|存在$/u, ''));
    return things.filter((thing) => /^\p{sc=Han}{2,4}$/u.test(thing));
  }
  const english = worldEnglish.exec(wording);
  const list = english?.[1] ?? english?.[2] ?? english?.[3];
  return list?.split(/,? and |,? or |, /iu) ?? [];
}

// Where does a forbidden word stand? A thing that must not exist may still be denied or named in a comparison.
const clauseBorder = /[，。！？；：、\n“”「」『』.,!?;:"]/u;
const denialBefore =
  /(?:没有|没|不是|并非|绝非|不存在|并无|毫无|无|不信|不相信|哪有|哪来|什么|所谓|从未有过|像|如同|仿佛|犹如|宛如|不靠|不用|不需要)[^，。！？；]{0,6}$|\b(?:no|not|never|without|isn't|wasn't|aren't|neither|nor|like|as if by|no such thing as)\b[^.,!?;]{0,20}$/iu;
const denialAfter =
  /^[^，。！？；.,!?;]{0,8}(?:不存在|是假的|是骗人的|只是传说|并不)|^[^.,!?;]{0,20}\b(?:does not exist|doesn't exist|did not exist|is a myth|isn't real)\b/iu;

export function findForbiddenWords(text: string, rule: RuleOf<'forbidden-words'>): readonly Hit[] {
  return rule.words.flatMap((word) =>
    findWord(text, word)
      .filter(({ start, end }) => !(rule.denialAllowed && isDenied(text, start, end)))
      .map(({ start, end }) => ({
        start,
        end,
        message: { zh: '出现了被禁止的词语。', en: 'Uses a word that is forbidden.' },
      })),
  );
}

function isDenied(text: string, start: number, end: number): boolean {
  let from = start;
  while (from > 0 && start - from < 30 && !clauseBorder.test(text[from - 1]!)) from -= 1;
  return denialBefore.test(text.slice(from, start)) || denialAfter.test(text.slice(end, end + 40));
}

// Where does a word stand in a text? Latin words as whole words (a plural or possessive counts), Chinese words anywhere
// except across the border of two other words.
export interface WordPlace {
  readonly start: number;
  readonly end: number;
}

const window = 16;
const han = /\p{sc=Han}/u;
const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('zh', { granularity: 'word' }) : undefined;

export function findWord(text: string, word: string): readonly WordPlace[] {
  const folded = foldText(text);
  const wanted = foldText(word.trim());
  const places: WordPlace[] = [];
  if (wanted === '') return places;
  for (let start = folded.indexOf(wanted); start >= 0; start = folded.indexOf(wanted, start + 1)) {
    const end = wholeWordEnd(folded, start, start + wanted.length);
    if (end !== undefined && !straddlesWords(text, start, end)) places.push({ start, end });
  }
  return places;
}

/** Same length in code units as the text. */
function foldText(text: string): string {
  return text.replace(/[^\u3400-\u9fff]/gu, (point) => {
    const folded = foldCodePoint(point);
    return folded.length === point.length ? folded : point;
  });
}

function wholeWordEnd(text: string, start: number, end: number): number | undefined {
  if (isSpacedLetter(text[start]) && isSpacedLetter(text[start - 1])) return undefined;
  if (!isSpacedLetter(text[end - 1])) return end;
  const plural = /^(?:e?s)(?![\p{L}\p{N}_])/u.exec(text.slice(end, end + 3))?.[0] ?? '';
  return isSpacedLetter(text[end + plural.length]) ? undefined : end + plural.length;
}

/** 天才 in 今天才 or 三天才: some other word takes a part of it. In doubt it is not reported. */
function straddlesWords(text: string, start: number, end: number): boolean {
  if (segmenter === undefined || !han.test(text[start]!)) return false;
  const follows = start > 0 && han.test(text[start - 1]!);
  if (!follows) return false;
  if (end - start === 2 && isOneWord(text.slice(start - 1, start + 1))) return true;
  const from = Math.max(0, start - window);
  for (const { index, segment } of segmenter.segment(text.slice(from, end + window))) {
    const wordStart = from + index;
    const wordEnd = wordStart + segment.length;
    if (wordStart < start && start < wordEnd && wordEnd < end) return true;
    // Longer words are too special to be chance.
    if (end - start === 2 && start < wordStart && wordStart < end && end < wordEnd) return true;
  }
  return false;
}

function isOneWord(text: string): boolean {
  return [...segmenter!.segment(text)].length === 1;
}
