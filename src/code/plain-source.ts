// What the outlines without a syntax tree read: the text, its lines and its comments.
import type { LineIndex } from './line-index.js';

export interface PlainSource {
  readonly language: string;
  readonly text: string;
  readonly lines: LineIndex;
  readonly kinds: Uint8Array;
  readonly comments: readonly number[];
  readonly style: CommentStyle;
}

interface CommentStyle {
  readonly line: readonly string[];
  readonly block: readonly (readonly [string, string])[];
  readonly quotes: string;
  /** Strings that run over lines. */
  readonly texts?: readonly (readonly [string, string])[];
}

const slashes: CommentStyle = { line: ['//'], block: [['/*', '*/']], quotes: '"\'`' };
const hashes: CommentStyle = { line: ['#'], block: [], quotes: '"\'' };
const markup: CommentStyle = { line: [], block: [['<!--', '-->']], quotes: '' };
const dashes: CommentStyle = { line: ['--'], block: [['/*', '*/']], quotes: '"\'' };

const tripled = [
  ['"""', '"""'],
  ["'''", "'''"],
] as const;

const styles: Readonly<Record<string, CommentStyle>> = {
  python: { ...hashes, block: [] },
  ruby: hashes,
  bash: hashes,
  yaml: hashes,
  toml: hashes,
  makefile: hashes,
  dockerfile: { ...hashes, quotes: '' },
  terraform: { line: ['#', '//'], block: [['/*', '*/']], quotes: '"' },
  elixir: {
    ...hashes,
    texts: tripled,
    block: ['moduledoc', 'typedoc', 'doc'].flatMap((word) => [
      [`@${word} """`, '"""'] as const,
      [`@${word} ~S"""`, '"""'] as const,
    ]),
  },
  perl: hashes,
  r: hashes,
  graphql: hashes,
  ini: { line: ['#', ';'], block: [], quotes: '' },
  php: { ...slashes, line: ['//', '#'] },
  sql: dashes,
  lua: { line: ['--'], block: [['--[[', ']]']], quotes: '"\'', texts: [['[[', ']]']] },
  dart: { ...slashes, quotes: '"\'', texts: tripled },
  haskell: { line: ['--'], block: [['{-', '-}']], quotes: '"' },
  css: { ...slashes, line: [] },
  html: markup,
  xml: markup,
  markdown: markup,
  vue: {
    ...slashes,
    block: [
      ['/*', '*/'],
      ['<!--', '-->'],
    ],
  },
  svelte: {
    ...slashes,
    block: [
      ['/*', '*/'],
      ['<!--', '-->'],
    ],
  },
  text: { line: [], block: [], quotes: '' },
  notebook: { line: [], block: [], quotes: '' },
};

export function commentStyleOf(language: string): CommentStyle {
  return Object.hasOwn(styles, language) ? styles[language]! : slashes;
}

/** Quotes are respected, so that '#' in a string is no comment. A quote left open ends with its line, so that one apostrophe cannot swallow a file. */
export function scanComments(text: string, style: CommentStyle): { comments: number[]; strings: number[] } {
  const spans: number[] = [];
  const strings: number[] = [];
  const starters = new Set([
    ...style.quotes,
    ...style.line.map((word) => word[0]!),
    ...style.block.map(([open]) => open[0]!),
    ...(style.texts ?? []).map(([open]) => open[0]!),
  ]);
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (!starters.has(character)) continue;
    const long = style.texts?.find(([open]) => text.startsWith(open, at));
    if (long !== undefined) {
      const close = text.indexOf(long[1], at + long[0].length);
      const end = close === -1 ? text.length : close + long[1].length;
      strings.push(at, end);
      at = end - 1;
      continue;
    }
    if (style.quotes.includes(character)) {
      const close = closeOfQuote(text, at);
      if (close > at && text[close] === character) strings.push(at, close + 1);
      at = close;
      continue;
    }
    const block = style.block.find(([open]) => text.startsWith(open, at));
    if (block !== undefined) {
      const close = text.indexOf(block[1], at + block[0].length);
      const end = close === -1 ? text.length : close + block[1].length;
      spans.push(at, end);
      at = end - 1;
      continue;
    }
    if (style.line.some((word) => text.startsWith(word, at)) && !insideWord(text, at)) {
      const newline = text.indexOf('\n', at);
      const end = newline === -1 ? text.length : newline;
      spans.push(at, end);
      at = end;
    }
  }
  return { comments: spans, strings };
}

function closeOfQuote(text: string, from: number): number {
  const quote = text[from]!;
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === quote) return at;
    else if (character === '\n') return quote === '`' ? from : at;
  }
  return from;
}

/** `a#b`, `http://x` and `$#` are not comments. */
function insideWord(text: string, at: number): boolean {
  const before = text[at - 1];
  return before !== undefined && (text[at] === '#' ? !/\s|;/.test(before) : before === ':');
}
