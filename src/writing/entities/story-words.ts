// A text as the words that carry a statement, for comparing what two texts say: particles and adverbs are gone, English words
// are stems, the one it is about is one sign whatever the name, and the words that turn a statement around are classes.
import { stem } from '../retrieval/terms.js';

/** `@` the one it is about, `@s` something of theirs, `=` to be, `!` not, `<` 被, `>` 把, `by`, `&` and; else the word itself. */
export interface StoryWord {
  readonly key: string;
  /** By a name, not by a pronoun that may mean anyone. */
  readonly named: boolean;
  /** Doubts, wishes and conditions: what follows is not stated. */
  readonly doubts: boolean;
  /** Knowing and saying: what follows is stated all the same. */
  readonly states: boolean;
  /** A word that is written like a name, and is none of theirs. */
  readonly names: boolean;
  readonly start: number;
  readonly end: number;
}

const list = (words: string) => words.split(' ');
const alternatives = (words: string) =>
  list(words)
    .sort((a, b) => b.length - a.length)
    .join('|');

const chineseClasses: readonly (readonly [kind: string, RegExp])[] = [
  [
    'stop',
    new RegExp(
      alternatives(
        '事实上 其实 原来 竟然 居然 果然 终于 已经 早已 早就 一直 真的 就 才 也 都 还 又 便 却 竟 亲手 亲自 确实 分明 根本 其中 的 地 得 了 着 过 这 那 个 里 里面 在 于 并 早 全 正 呢 啊 吧 呀 都 偷偷 悄悄 暗中 只 们的',
      ),
      'uy',
    ),
  ],
  ['stop', /[一两几那这][把口个条块座位名只张件]|[块位名口](?=\p{sc=Han})/uy],
  ['=', new RegExp(alternatives('就是 正是 便是 乃是 竟是 即是 才是 都是 是'), 'uy')],
  ['<', /被/uy],
  ['>', /把/uy],
  ['&', /[和与跟同及]/uy],
  [
    'doubt',
    new RegExp(
      alternatives(
        '如果 假如 要是 倘若 难道 是否 是不是 吗 谁 什么 怎么 可能 也许 或许 大概 好像 似乎 仿佛 像 怀疑 以为 猜 想 要 打算 企图 准备 发誓 扮 装 假扮 扮作 传说 谣言 诬陷 冤枉 梦见 梦到 让 派 命 劝 求 请 差点 几乎 险些 希望 等 看见 看到 听见 听说 望见 眼看 问 若',
      ),
      'uy',
    ),
  ],
  ['!', new RegExp(alternatives('没有 并没有 并非 从未 不曾 没 不 未 非 无 别 莫'), 'uy')],
  ['state', new RegExp(alternatives('知道 想到 料到 发现 明白 承认 说 告诉 记得 忘记 发觉 察觉 证明'), 'uy')],
];
const chineseSelf = /(?<!其)[他她它](?![们人])|自己|本人/uy;

const englishStops = new Set(
  list(
    'the a an of to in on at for with that this those these it its very quite indeed truly truth secretly quietly really just all along only had has have did does do can could also own very there then so but now finally last',
  ),
);
const englishBe = new Set(list('is was are were be been being am'));
const englishNot = new Set(list('not never no nobody none neither nor nothing'));
const englishDoubts = new Set(
  list(
    'if whether who whom what why how would should might may maybe perhaps want wanted wants wish wished hope hoped swore swear suspect suspected wonder wondered dream dreamed dreamt pretend pretended imagine imagined rumour rumor rumours seem seemed like almost nearly ask asked plan planned intend intended try tried saw see watched watch heard hear will let made make order ordered think thought believe believed',
  ),
);
const englishStates = new Set(
  list(
    'know knew knows known guess guessed say said says admit admitted tell told tells realized realised discovered found proved',
  ),
);
const article = /(?:the|a|an|his|her|their|my|your|last|old) $/iu;

/** Clauses of one sentence; sentences are parted elsewhere. */
export function storyWords(sentence: string, names: readonly string[], offset = 0): StoryWord[] {
  const text = sentence.replace(/[^\u3400-\u9fff]/gu, (point) => {
    const folded = foldCodePoint(point);
    return folded.length === point.length ? folded : point;
  });
  const owners = [...names]
    .sort((left, right) => right.length - left.length)
    .map((name) => name.toLowerCase());
  const words: StoryWord[] = [];
  for (let at = 0; at < text.length; ) {
    const [kind, length] = wordAt(text, at, owners);
    const taken = text.slice(at, at + length);
    const isOwn = kind === '@' || kind === '@s';
    // 他自己 is one person.
    // Tom, who killed: no question.
    const isRelative = taken === 'who' && words.at(-1)?.key === '@';
    const isTwice = isOwn && words.at(-1)?.key === '@' && words.at(-1)!.end === offset + at;
    if (isTwice) words.pop();
    if (kind !== 'stop' && !isRelative) {
      words.push({
        key: kind === 'doubt' || kind === 'state' || kind === 'word' ? keyOf(taken) : kind,
        named: isOwn && owners.some((name) => taken.startsWith(name)),
        doubts: kind === 'doubt',
        states: kind === 'state',
        names:
          kind === 'word' && /^\p{Lu}/u.test(sentence.slice(at)) && /[\p{L},] $/u.test(sentence.slice(0, at)),
        start: offset + at,
        end: offset + at + length,
      });
    }
    at += length;
  }
  return words;
}

function keyOf(word: string): string {
  const possessive = /^(.+)'s?$/u.exec(word)?.[1];
  return possessive === undefined ? stem(word) : `${stem(possessive)}'s`;
}

function wordAt(text: string, at: number, owners: readonly string[]): readonly [string, number] {
  const owner = owners.find((name) => text.startsWith(name, at) && isWhole(text, at, at + name.length));
  if (owner !== undefined) return ownWord(text, at, owner.length);
  if (/\p{sc=Han}/u.test(text[at]!)) {
    chineseSelf.lastIndex = at;
    const self = chineseSelf.exec(text)?.[0];
    if (self !== undefined) return ownWord(text, at, self.length);
    for (const [kind, pattern] of chineseClasses) {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      if (found !== undefined) return [kind, found.length];
    }
    return ['word', 1];
  }
  const word = /^[\p{L}\p{N}]+(?:'(?:s|t|d|ll|re|ve|m)?(?!\p{L}))?/u.exec(text.slice(at, at + 60))?.[0];
  if (word === undefined) return ['stop', 1];
  return [englishClass(word, text.slice(Math.max(0, at - 6), at)), word.length];
}

function ownWord(text: string, at: number, length: number): readonly [string, number] {
  const possessive =
    /^(?:'s|之|的)(?!\p{L}(?<=[a-z]))/u.exec(text.slice(at + length, at + length + 3))?.[0] ?? '';
  return possessive === '' ? ['@', length] : ['@s', length + possessive.length];
}

function englishClass(word: string, before: string): string {
  if (/^(?:he|she|him|himself|herself)$/u.test(word)) return '@';
  if (/^(?:his|her|hers)$/u.test(word)) return '@s';
  if (/n't$|^cannot$/u.test(word) || englishNot.has(word)) return '!';
  if (englishBe.has(word)) return '=';
  if (word === 'by') return 'by';
  if (word === 'and') return '&';
  if (englishStops.has(word)) return 'stop';
  // The will, a hope: nouns.
  if (englishDoubts.has(word) && !article.test(before)) return 'doubt';
  return englishStates.has(word) ? 'state' : 'word';
}

function isWhole(text: string, start: number, end: number): boolean {
  const latin = (point: string | undefined) => point !== undefined && /[a-z0-9]/u.test(point);
  return !(latin(text[start]) && latin(text[start - 1])) && !(latin(text[end - 1]) && latin(text[end]));
}

// When do two spellings count as one? Width, case, blanks and name dots do not matter; every code point stays in its place.
const nameDots = new Set(['·', '•', '‧', '・', '･', '∙', '⋅']);

export function foldCodePoint(point: string): string {
  const code = point.codePointAt(0)!;
  if (code < 0x80)
    return code >= 0x41 && code <= 0x5a ? String.fromCharCode(code + 32) : code <= 0x20 ? ' ' : point;
  // Han and most of the BMP above it have neither case nor width.
  if (code >= 0x3400 && code <= 0x9fff) return point;
  const narrow = code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - 0xfee0) : point;
  if (nameDots.has(narrow)) return '·';
  if (narrow === '\u2019' || narrow === '\u2018') return "'";
  if (/\s/.test(narrow)) return ' ';
  const lower = narrow.toLowerCase();
  return [...lower].length === 1 ? lower : narrow;
}

const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー々〇]/u;
const letter = /[\p{L}\p{N}\p{M}_]/u;

/** Letters and digits of scripts that put blanks between words. */
export function isSpacedLetter(point: string | undefined): boolean {
  if (point === undefined) return false;
  const code = point.codePointAt(0)!;
  if (code < 0x80) return /\w/.test(point);
  return letter.test(point) && !unspaced.test(point);
}
