// The text at hand as passages: what of it lies outside of what is read around the cursor. It is cut as the index cuts documents,
// so a passage keeps its name; what was stored of the same document before is not looked at.
import { LRUCache } from 'lru-cache';
import { hashText } from '../../meters/content-hash.js';
import type { ChunkHit } from '../../store/tables/chunks.js';
import type { IndexedText } from '../documents/indexed-text.js';
import { paragraphEnds } from '../documents/paragraphs.js';
import { chunkDocument } from './chunk-document.js';

export interface OwnText {
  readonly documentId: string;
  readonly indexed: IndexedText;
  readonly window: { readonly from: number; readonly to: number };
}

export function ownPassages({ documentId, indexed, window }: OwnText): readonly ChunkHit[] {
  if (window.from <= 0 && window.to >= indexed.text.length) return [];
  const from = indexed.positionAt(window.from);
  const to = indexed.positionAt(window.to);
  const read = indexed.text.slice(window.from, window.to);
  return passagesIn(documentId, neededOf(indexed.text, window)).filter(
    ({ start, end, text }) => !(start < to && end > from) && !read.includes(text),
  );
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
  const name = JSON.stringify([documentId, text]);
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
