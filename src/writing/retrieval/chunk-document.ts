// How is a document cut for search? Neighbouring paragraphs share a chunk up to the target, long ones are cut at sentences
// into even parts, and a heading stays with what it heads. Ranges ascend, never overlap, and cover every visible character.
import { boundedEnds } from '../documents/clauses.js';
import { type IndexedText, indexText } from '../documents/indexed-text.js';
import { paragraphEnds, withoutBlanks } from '../documents/paragraphs.js';
import { sentenceEnds } from '../documents/sentences.js';
import type { TextRange } from '../documents/text-range.js';

export interface ChunkSizes {
  /** In code points; chunks are filled up to about this size. */
  readonly target?: number;
  /** In code points; no chunk is longer. */
  readonly most?: number;
}

export interface DocumentChunk extends TextRange {
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
  let from = 0;
  for (const to of paragraphEnds(indexed.text, 0, indexed.text.length)) {
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
