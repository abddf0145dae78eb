// What a chapter, a part or the book is about, in few words, bound to the text it tells: when that changes, the summary is stale and no
// prompt uses it. A file that somebody wrote by hand without saying what it was made from always holds.
import { hashText } from '../../meters/content-hash.js';
import type { BookNote } from '../notes/book-notes.js';

export interface ChapterSummary {
  /** Id of the document; for a part its folder with a slash behind it, for the book `book`. */
  readonly about: string;
  readonly text: string;
  /** Of the text it tells. */
  readonly hash?: string;
  /** The model that wrote it; absent where a person did, or changed what a model wrote. */
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
  const words = (front === null ? text : text.slice(front[0].length)).trim();
  const hash = fields.get('hash');
  const by = fields.get('written') === markOf(words) ? fields.get('by') : undefined;
  return {
    about,
    text: words,
    ...(hash !== undefined && /^[0-9a-f]{64}$/u.test(hash) ? { hash } : {}),
    ...(by === undefined ? {} : { by }),
  };
}

export function writeSummary({ text, hash, by }: Omit<ChapterSummary, 'about'>): string {
  const words = text.trim();
  const fields = [
    ...(hash === undefined ? [] : [`hash: ${hash}`]),
    ...(by === undefined ? [] : [`by: ${by}`, `written: ${markOf(words)}`]),
  ];
  const front = fields.length === 0 ? '' : `---\n${fields.join('\n')}\n---\n\n`;
  return `${front}${words}\n`;
}

/** By which a text is known that nobody has changed. */
function markOf(words: string): string {
  return hashText(words.replaceAll('\r\n', '\n')).slice(0, 16);
}

export function stateOf({ hash }: ChapterSummary, now: string): SummaryState {
  return hash === undefined || hash === now ? 'fresh' : 'stale';
}
