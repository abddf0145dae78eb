// What a chapter, a part or the book is about, in few words, bound to the text it tells: when that changes, the summary is stale and no
// prompt uses it. A file that somebody wrote by hand without saying what it was made from always holds.
import type { BookNote } from '../notes/book-notes.js';

export interface ChapterSummary {
  /** Id of the document; `book`, or the folder of a part. */
  readonly about: string;
  readonly text: string;
  /** Of the text it tells. */
  readonly hash?: string;
  /** The model that wrote it; absent where a person did. */
  readonly by?: string;
}

export type SummaryState = 'fresh' | 'stale';

const head = /^\uFEFF?---[^\S\n]*\r?\n([\s\S]*?)\r?\n---[^\S\n]*(?:\r?\n|$)/u;

export function readSummary({ about, text }: Pick<BookNote, 'about' | 'text'>): ChapterSummary {
  const front = head.exec(text);
  const fields = new Map(
    (front?.[1] ?? '').split(/\r?\n/u).flatMap((line) => {
      const [, key, value] = /^(\w+)\s*[:：]\s*(.+?)\s*$/u.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
  const hash = fields.get('hash');
  const by = fields.get('by');
  return {
    about,
    text: (front === null ? text : text.slice(front[0].length)).trim(),
    ...(hash !== undefined && /^[0-9a-f]{64}$/u.test(hash) ? { hash } : {}),
    ...(by === undefined ? {} : { by }),
  };
}

export function writeSummary({ text, hash, by }: Omit<ChapterSummary, 'about'>): string {
  const fields = [
    ...(hash === undefined ? [] : [`hash: ${hash}`]),
    ...(by === undefined ? [] : [`by: ${by}`]),
  ];
  const front = fields.length === 0 ? '' : `---\n${fields.join('\n')}\n---\n\n`;
  return `${front}${text.trim()}\n`;
}

export function stateOf({ hash }: ChapterSummary, now: string): SummaryState {
  return hash === undefined || hash === now ? 'fresh' : 'stale';
}
