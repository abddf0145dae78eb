// Where in the outline is the writer? The entries of this chapter and the next, with the lines they stand on; the whole outline
// where that cannot be told.
import { chapterNumber } from './chapter-number.js';

export interface OutlineExcerpt {
  readonly text: string;
  /** One-based and inclusive; undefined for the whole. */
  readonly lines?: { readonly start: number; readonly end: number };
}

interface Entry {
  readonly number: number;
  readonly start: number;
  end: number;
}

const entryLine = /^\s*(?:#{1,6}\s+|[-*+]\s+|\d+[.、)]\s*)?(第.{1,9}[回章节话]|chapter\b.*)/iu;

export function outlineExcerpt(outline: string, chapter: number | undefined): OutlineExcerpt {
  const lines = outline.split('\n');
  const entries = entriesOf(lines);
  const at = entries.findIndex(({ number }) => number === chapter);
  if (at < 0) return { text: outline.trim() };
  const first = entries[at]!;
  const last = entries[at + 1] ?? first;
  const text = lines.slice(first.start, last.end).join('\n').trim();
  return { text, lines: { start: first.start + 1, end: last.end } };
}

/** Half-open ranges of lines, without blank lines at their end. */
function entriesOf(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  lines.forEach((line, index) => {
    const name = entryLine.exec(line)?.[1];
    const number = name === undefined ? undefined : chapterNumber(name);
    if (number !== undefined) entries.push({ number, start: index, end: index + 1 });
    else if (line.trim() !== '' && entries.length > 0 && !/^#{1,2}\s/.test(line))
      entries.at(-1)!.end = index + 1;
  });
  return entries;
}
