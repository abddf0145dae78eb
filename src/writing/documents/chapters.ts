// A folder of Markdown or text files as the chapters of a work: titles, reading order, and files that could not be read.
import { byCodePoint } from '../../core/model/code-points.js';
import { GalleyError } from '../../core/model/error.js';
import { withoutFront } from './front-matter.js';
import { readHeadingLine } from './heading-line.js';
import { chapterNumber } from './numerals.js';

export interface ChapterFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface Chapter {
  readonly path: string;
  readonly title: string;
  /** One-based place in reading order. */
  readonly order: number;
  readonly text: string;
}

export interface Chapters {
  readonly chapters: readonly Chapter[];
  readonly unreadable: readonly GalleyError[];
}

export function arrangeChapters(files: readonly ChapterFile[]): Chapters {
  const unreadable: GalleyError[] = [];
  const found: { path: string; title: string; text: string; key: readonly string[] }[] = [];
  for (const file of [...files].sort((left, right) => byCodePoint(left.path, right.path))) {
    const decoded = decodeDocument(file.bytes, file.path);
    if (decoded.kind === 'unreadable') {
      unreadable.push(decoded.error);
      continue;
    }
    const title = chapterTitle(decoded.text, file.path);
    found.push({ path: file.path, title, text: decoded.text, key: sortKey(file.path, title) });
  }
  found.sort((left, right) => byKey(left.key, right.key) || byCodePoint(left.path, right.path));
  return {
    chapters: found.map(({ path, title, text }, index) => ({ path, title, text, order: index + 1 })),
    unreadable,
  };
}

/** The first heading, else a first line that names a chapter, else the file's name. */
export function chapterTitle(text: string, path: string): string {
  const body = withoutFront(text);
  const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/m.exec(body.slice(0, 4_000));
  if (heading?.[1] !== undefined) return heading[1];
  const first = body.trimStart().split('\n', 1)[0]?.trim() ?? '';
  if (first.length <= 80 && readHeadingLine(first) !== undefined) return first;
  return fileName(path);
}

function sortKey(path: string, title: string): readonly string[] {
  const folders = path.split('/').slice(0, -1);
  const name = fileName(path);
  return [...folders, chapterNumber(name) === undefined && chapterNumber(title) !== undefined ? title : name];
}

function byKey(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const order = byNaturalOrder(left[index]!, right[index]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function fileName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(md|markdown|txt)$/i, '');
}

// The order in which a person would put chapter names: numbers by value, openings first, endings last, else by code point.
const openings = /^(序|楔子|引子|前言|自序|prologue|preface|introduction|foreword)/;
const endings = /^(尾声|后记|跋|番外|附录|终章|epilogue|afterword|appendix)/;

function byNaturalOrder(left: string, right: string): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  const a = chapterNumber(left);
  const b = chapterNumber(right);
  if (a !== undefined && b !== undefined && a !== b) return a - b;
  return byNumberedParts(left, right) || byCodePoint(left, right);
}

function rankOf(name: string): number {
  const folded = name.normalize('NFKC').toLowerCase().trim();
  if (chapterNumber(folded) !== undefined) return 1;
  if (openings.test(folded)) return 0;
  return endings.test(folded) ? 3 : 2;
}

function byNumberedParts(left: string, right: string): number {
  const a = left.match(/\d+|\D+/g) ?? [];
  const b = right.match(/\d+|\D+/g) ?? [];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [x, y] = [a[index]!, b[index]!];
    if (x === y) continue;
    const both = /^\d/.test(x) && /^\d/.test(y);
    const order = both ? Number(x) - Number(y) : byCodePoint(x, y);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

// From file bytes to text. UTF-8 only, strictly; a byte order mark is dropped and every line break becomes one `\n`,
// so a position counts a CRLF once, on every platform and in every operation.
type DecodedDocument =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly error: GalleyError };

export function decodeDocument(bytes: Uint8Array, path: string): DecodedDocument {
  if (bytes.includes(0)) return unreadable(path, 'it holds zero bytes, so it is not UTF-8 text');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'text', text: withPlainLineBreaks(text) };
  } catch {
    return unreadable(path, 'it is not valid UTF-8');
  }
}

function withPlainLineBreaks(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function unreadable(path: string, why: string): DecodedDocument {
  const error = new GalleyError(
    'FILE_UNREADABLE',
    `${path} cannot be read: ${why}. Save it as UTF-8, or galley write import ${path} reads it.`,
    {
      details: { path },
    },
  );
  return { kind: 'unreadable', error };
}
