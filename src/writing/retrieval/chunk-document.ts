// How is a document cut for search? Neighbouring paragraphs share a chunk up to the target, long ones are cut at sentences
// into even parts, and a heading stays with what it heads. Ranges ascend, never overlap, and cover every visible character behind the front matter.

import { LRUCache } from 'lru-cache';
import { hashText } from '../../meters/content-hash.js';
import type { ChunkHit } from '../../store/tables/chunks.js';
import { boundedEnds, paragraphEnds, sentenceEnds, withoutBlanks } from '../documents/borders.js';
import { frontLength } from '../documents/front-matter.js';
import { type IndexedText, indexText, type TextRange } from '../documents/indexed-text.js';

interface ChunkSizes {
  /** In code points; chunks are filled up to about this size. */
  readonly target?: number;
  /** In code points; no chunk is longer. */
  readonly most?: number;
}

interface DocumentChunk extends TextRange {
  readonly text: string;
  /** The nearest heading at or above the chunk. */
  readonly heading?: string;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const headingLine = /^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/;
const chapterLine =
  /^\s*(第[0-9零〇一二两三四五六七八九十百千]{1,9}[回章节卷部幕][^。！？]{0,40}|chapter\s+\S{1,8}[^.!?]{0,60})\s*$/i;

export function chunkDocument(text: string | IndexedText, sizes: ChunkSizes = {}): DocumentChunk[] {
  const indexed = indexText(text);
  const target = Math.max(1, sizes.target ?? 400);
  const most = Math.max(target, sizes.most ?? Math.ceil(target * 1.5));
  const chunks: DocumentChunk[] = [];
  let heading: string | undefined;
  let open: Stretch | undefined;
  const close = () => {
    if (open !== undefined) pushChunk(indexed, open, { chunks, heading });
    open = undefined;
  };
  let from = frontLength(indexed.text);
  for (const to of paragraphEnds(indexed.text, from, indexed.text.length)) {
    const paragraph = indexed.text.slice(from, to).trim();
    const title = headingLine.exec(paragraph)?.[1] ?? chapterLine.exec(paragraph)?.[1];
    if (title !== undefined) {
      close();
      heading = title;
    }
    for (const part of evenParts(indexed.text, { from, to }, { target, most })) {
      // A heading is never the last thing in a chunk while its text can follow.
      const together: number = part.to - (open?.from ?? part.from);
      if (open !== undefined && together > target && !(isHeadingOnly(indexed.text, open) && together <= most))
        close();
      open = { from: open?.from ?? part.from, to: part.to };
    }
    from = to;
  }
  close();
  return chunks;
}

function isHeadingOnly(text: string, stretch: Stretch): boolean {
  const words = text.slice(stretch.from, stretch.to).trim();
  return headingLine.test(words) || chapterLine.test(words);
}

function pushChunk(
  indexed: IndexedText,
  stretch: Stretch,
  into: { chunks: DocumentChunk[]; heading: string | undefined },
): void {
  const { start, end } = withoutBlanks(indexed.text, stretch.from, stretch.to);
  if (start === end) return;
  const range = { start: indexed.positionAt(start), end: indexed.positionAt(end) };
  const chunk = { ...range, text: indexed.text.slice(start, end) };
  into.chunks.push(into.heading === undefined ? chunk : { ...chunk, heading: into.heading });
}

/** A paragraph in one part if it is short enough, else in parts of about equal size that end with a sentence. */
function evenParts(text: string, paragraph: Stretch, sizes: { target: number; most: number }): Stretch[] {
  const length = paragraph.to - paragraph.from;
  if (length <= sizes.most) return [paragraph];
  const share = length / Math.ceil(length / sizes.target);
  const parts: Stretch[] = [];
  let from = paragraph.from;
  let reached = from;
  for (const end of boundedSentences(text, paragraph, sizes.target)) {
    if (
      reached > from &&
      (end - from > sizes.most || reached - from >= share || end - from - share > share - (reached - from))
    ) {
      parts.push({ from, to: reached });
      from = reached;
    }
    reached = end;
  }
  parts.push({ from, to: paragraph.to });
  return parts;
}

function boundedSentences(text: string, paragraph: Stretch, most: number): number[] {
  const ends: number[] = [];
  let from = paragraph.from;
  for (const to of sentenceEnds(text, paragraph.from, paragraph.to)) {
    ends.push(...boundedEnds(text, { from, to }, most));
    from = to;
  }
  return ends;
}

// The text at hand as passages: what of it lies outside of what is read around the cursor. It is cut as the index cuts documents,
// so a passage keeps its name; what was stored of the same document before is not looked at.
interface OwnText {
  readonly documentId: string;
  readonly indexed: IndexedText;
  readonly window: { readonly from: number; readonly to: number };
}

export function ownPassages({ documentId, indexed, window }: OwnText): readonly ChunkHit[] {
  if (window.from <= 0 && window.to >= indexed.text.length) return [];
  const from = indexed.positionAt(window.from);
  const to = indexed.positionAt(window.to);
  const passages = passagesIn(documentId, neededOf(indexed.text, window));
  const isRead = readAmong(passages, indexed.text.slice(window.from, window.to));
  return passages.filter((passage) => {
    const { start, end } = passage;
    return !(start < to && end > from) && !isRead.has(passage);
  });
}

interface ReadText {
  readonly read: string;
  readonly among: ReadonlySet<ChunkHit>;
}

const lastRead = new WeakMap<readonly ChunkHit[], ReadText>();

/** Those that stand word for word in what is read. While that grows at its end, only the end is looked through. */
function readAmong(passages: readonly ChunkHit[], read: string): ReadonlySet<ChunkHit> {
  const before = lastRead.get(passages);
  const known =
    before !== undefined && read.startsWith(before.read) ? before : { read: '', among: new Set() };
  const among = new Set(
    passages.filter((passage) => {
      const { text } = passage;
      return known.among.has(passage) || read.includes(text, Math.max(0, known.read.length - text.length));
    }),
  );
  lastRead.set(passages, { read, among });
  return among;
}

/** Where all that follows is read, what is cut before it does not depend on its end. */
function neededOf(text: string, { from, to }: OwnText['window']): string {
  if (to < text.length) return text;
  const limit = Math.min(text.length, from + nearUnits);
  const [, second, third] = paragraphEnds(text, from, limit);
  // The last end found is that of the search, not of a paragraph.
  return third === undefined ? text : text.slice(0, second);
}

const nearUnits = 4_000;

/** The start of a long text stays the same while its end is written. */
const known = new LRUCache<string, readonly ChunkHit[]>({ max: 8 });

function passagesIn(documentId: string, text: string): readonly ChunkHit[] {
  const name = `${documentId.length} ${documentId}${text}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const passages = chunkDocument(text).map(({ start, end, text: words }, ordinal): ChunkHit => {
    const contentHash = hashText(words);
    const chunkId = passageId(documentId, ordinal, contentHash);
    return { chunkId, documentId, ordinal, start, end, text: words, contentHash, score: 0 };
  });
  known.set(name, passages);
  return passages;
}

/** How a passage is named everywhere. */
export function passageId(documentId: string, ordinal: number, contentHash: string): string {
  return `${documentId}#${ordinal}-${contentHash.slice(0, 12)}`;
}
