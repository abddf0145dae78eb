// The bytes of a chapter as the text that positions count in, and edits of that text as bytes: whatever an edit does not touch stays
// as it is, byte for byte, with its byte order mark and its line breaks.
import { createHash } from 'node:crypto';
import { decodeDocument } from '../documents/chapters.js';
import { type Edit, withEdits } from './sentence-diff.js';

export interface ChapterText {
  readonly text: string;
  /** Edits ascend and are free of overlaps. */
  withEdits(edits: readonly Edit[]): Uint8Array;
}

/** Of a file: without its byte order mark, every line break one `\n`. Refuses what is not UTF-8. */
export function fileText(bytes: Uint8Array, path: string): ChapterText {
  const decoded = decodeDocument(bytes, path);
  if (decoded.kind === 'unreadable') throw decoded.error;
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const lineBreak = usualBreak(raw);
  return {
    text: decoded.text,
    withEdits: (edits) => encoded(withEdits(raw, rawEdits(raw, edits, lineBreak))),
  };
}

/** Of a document of the store, where positions count what is there. */
export function storedText(bytes: Uint8Array): ChapterText {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, withEdits: (edits) => encoded(withEdits(text, edits)) };
}

export function encoded(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf8'));
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function rawEdits(raw: string, edits: readonly Edit[], lineBreak: string): Edit[] {
  let at = raw.startsWith('\ufeff') ? 1 : 0;
  let plain = 0;
  const hasReturns = raw.includes('\r');
  const seek = (unit: number): number => {
    if (!hasReturns) return at + unit;
    for (; plain < unit; plain += 1) at += raw.startsWith('\r\n', at) ? 2 : 1;
    return at;
  };
  return edits.map(({ start, end, text }) => {
    const from = seek(start);
    return { start: from, end: seek(end), text: withBreaks(text, lineBreak) };
  });
}

/** A text with the line breaks of another. */
export function withBreaks(text: string, lineBreak: string): string {
  return text.replace(/\r\n?|\n/g, lineBreak);
}

/** The one that most lines end with. */
export function usualBreak(raw: string): string {
  if (!raw.includes('\r')) return '\n';
  const counts = new Map<string, number>();
  for (const [found] of raw.matchAll(/\r\n?|\n/g)) counts.set(found, (counts.get(found) ?? 0) + 1);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}
