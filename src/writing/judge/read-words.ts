// Does a constraint forbid words, or say that something does not exist in its world?
import type { DeclaredCheck } from './check.js';
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
