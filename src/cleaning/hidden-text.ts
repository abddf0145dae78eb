// Shows what a reader could not see, line by line: the text keeps its lines, and every kind of hidden text is accounted for.

export type HiddenKind = HiddenCharacterKind | 'comment-to-model';

interface HiddenHit {
  readonly kind: HiddenKind;
  /** Zero-based line of the text. */
  readonly lineIndex: number;
  readonly count: number;
}

interface NeutralText {
  readonly text: string;
  readonly hits: readonly HiddenHit[];
  /** Whether the text differs from what was given. */
  readonly changed: boolean;
}

// Most lines are plain, and need no closer look.
const plain = /^[\t\x20-\x7e]*$/;

// Comments a reader of the rendered page never sees, worded for somebody who reads the source: a model.
const rendered = /\.(?:md|mdx|markdown|mkd|rst|html?|xhtml|vue|svelte|astro|adoc|txt)$/i;
const comment = /<!--([\s\S]{1,4000}?)(?:-->|$)|^[ +-]\[\/\/\]:\s*#\s*\(?([^\n]{1,2000})/gm;
const address =
  /\b(?:ignore|disregard|forget|override)\b[\s\S]{0,80}\b(?:previous|prior|above|earlier|instructions?|rules?|prompts?)\b|\b(?:ai|a\.i\.|llms?|language models?|chat ?bots?|assistants?|agents?|chatgpt|gpt|claude|copilot|gemini|reviewers?|system prompt)\b|\byou (?:are|must|should|will) |\b(?:do not|don't|never) (?:report|mention|flag|review|comment)\b|\b(?:approve|lgtm|no findings|no issues)\b|(?:忽略|无视)[\s\S]{0,30}(?:指令|指示|规则|提示)/i;

export function neutralise(text: string, path = ''): NeutralText {
  const hits: HiddenHit[] = [];
  let changed = false;
  const lines = text.split('\n').map((line, lineIndex) => {
    // The carriage return of a line end is no trick; one inside a line is.
    const end = line.endsWith('\r') ? '\r' : '';
    const body = end === '' ? line : line.slice(0, -1);
    if (plain.test(body)) return line;
    const counts = new Map<HiddenKind, number>();
    for (const { kind } of findHidden(body)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (counts.size === 0) return line;
    changed = true;
    for (const [kind, count] of counts) hits.push({ kind, lineIndex, count });
    return showHidden(body) + end;
  });
  const comments = lineIndexes(text, commentsToModels(text, path));
  for (const lineIndex of comments) hits.push({ kind: 'comment-to-model', lineIndex, count: 1 });
  return { text: changed ? lines.join('\n') : text, hits, changed };
}

/** Offsets at which such comments begin, ascending. */
function commentsToModels(text: string, path: string): number[] {
  if (!rendered.test(path)) return [];
  const offsets: number[] = [];
  for (const match of text.matchAll(comment)) {
    const words = (match[1] ?? match[2] ?? '').replaceAll(/\n[ +-]?/g, ' ');
    if (address.test(words)) offsets.push(match.index);
  }
  return offsets;
}

/** Turns ascending offsets into zero-based line numbers. */
export function lineIndexes(text: string, offsets: readonly number[]): number[] {
  let at = 0;
  let line = 0;
  return offsets.map((offset) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < offset; next = text.indexOf('\n', at)) {
      at = next + 1;
      line += 1;
    }
    return line;
  });
}

type HiddenCharacterKind = 'bidi' | 'tag' | 'invisible' | 'control' | 'lookalike';

interface HiddenCharacter {
  readonly character: string;
  readonly at: number;
  readonly kind: HiddenCharacterKind;
}

const hidden =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

// Joiners and presentation marks are part of how an emoji is written; some scripts join and part their letters with characters of
// no width; and among Braille the blank is a blank.
const joining =
  '[\\p{sc=Arabic}\\p{sc=Syriac}\\p{sc=Mongolian}\\p{sc=Devanagari}\\p{sc=Bengali}\\p{sc=Gurmukhi}\\p{sc=Gujarati}\\p{sc=Oriya}\\p{sc=Tamil}\\p{sc=Telugu}\\p{sc=Kannada}\\p{sc=Malayalam}\\p{sc=Sinhala}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const usual = new RegExp(
  [
    '(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Extended_Pictographic}|[\\d#*])[\\ufe0e\\ufe0f]',
    `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
    '(?<=[\\u2801-\\u28ff])\\u2800|\\u2800(?=[\\u2801-\\u28ff])',
  ].join('|'),
  'gu',
);

// Letters that look like Latin ones. Where mathematics writes a Greek letter beside Latin ones, only the middle of a word tells.
const twins = /^[аеорсухіјѕһԁԛԝӏАВЕЗІЈКМНОРСТУХЅԌԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧοι\p{sc=Armenian}\p{sc=Cherokee}]+$/u;
const middleTwins = /^[αγηκνρυχ]+$/;
// The end of one range and the beginning of the next stand side by side in patterns such as `[a-zа-я]`.
const otherLetters =
  /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}]+(?!-[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}])/gu;
const latin = /\p{sc=Latin}/u;
const signTwins = /\u037e|\u01c3(?!\p{L})/gu;

export function hiddenCharacters(text: string): string[] {
  return findHidden(text).map(({ character }) => character);
}

/** What stands for a hidden character. */
export const shownCharacter = /\{U\+[0-9A-F]{4,6}\}/;

/** Tabs and line ends stay; everything else that cannot be seen or passes for another becomes `{U+XXXX}`. */
export function showHidden(text: string): string {
  const unix = text.replaceAll('\r\n', '\n');
  const parts: string[] = [];
  let done = 0;
  for (const { character, at } of findHidden(unix)) {
    parts.push(unix.slice(done, at), codePointName(character));
    done = at + character.length;
  }
  return done === 0 ? unix : parts.join('') + unix.slice(done);
}

/** In the order of the text. */
function findHidden(text: string): HiddenCharacter[] {
  const kept = new Set<number>();
  for (const { index } of text.matchAll(usual)) kept.add(index);
  const found: HiddenCharacter[] = [];
  for (const { index, 0: character } of text.matchAll(hidden))
    if (!kept.has(index)) found.push({ character, at: index, kind: kindOf(character) });
  const twin = (character: string, at: number) => found.push({ character, at, kind: 'lookalike' });
  for (const { index, 0: sign } of text.matchAll(signTwins)) twin(sign, index);
  for (const { index, 0: letters } of text.matchAll(otherLetters)) {
    const before = latin.test(text.slice(Math.max(0, index - 1), index));
    const after = latin.test(text.slice(index + letters.length, index + letters.length + 1));
    const passes = (before || after) && twins.test(letters);
    if (passes || (before && after && middleTwins.test(letters)))
      for (let at = 0; at < letters.length; at += 1) twin(letters[at]!, index + at);
  }
  return found.sort((left, right) => left.at - right.at);
}

function codePointName(character: string): string {
  return `{U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;
}

function kindOf(character: string): HiddenCharacterKind {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag';
  if (
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    [0x200e, 0x200f, 0x061c].includes(code)
  )
    return 'bidi';
  return /\p{Cc}/u.test(character) ? 'control' : 'invisible';
}
