// A folder of Markdown or text files as the chapters of a work: titles, reading order, and files that could not be read.
import { byCodePoint } from '../../core/model/code-points.js';
import type { GalleyError } from '../../core/model/error.js';
import { chapterNumber } from './chapter-number.js';
import { decodeDocument } from './decode-document.js';
import { byNaturalOrder } from './natural-order.js';

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

/** The first heading, else a first line that is numbered like a chapter, else the file's name. */
export function chapterTitle(text: string, path: string): string {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  const heading = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/m.exec(body.slice(0, 4_000));
  if (heading?.[1] !== undefined) return heading[1];
  const first = body.trimStart().split('\n', 1)[0]?.trim() ?? '';
  if (first.length <= 80 && /^(第.{1,9}[回章节卷部幕集话篇]|chapter\b)/i.test(first)) return first;
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
