// The text at hand as passages: what of it lies outside of what is read around the cursor. It is cut as the index cuts documents,
// so a passage keeps its name; what was stored of the same document before is not looked at.
import { hashText } from '../../meters/content-hash.js';
import type { ChunkHit } from '../../store/chunks.js';
import type { IndexedText } from '../documents/indexed-text.js';
import { chunkDocument } from './chunk-document.js';

export interface OwnText {
  readonly documentId: string;
  readonly indexed: IndexedText;
  readonly window: { readonly from: number; readonly to: number };
}

export function ownPassages({ documentId, indexed, window }: OwnText): ChunkHit[] {
  if (window.from <= 0 && window.to >= indexed.text.length) return [];
  const from = indexed.positionAt(window.from);
  const to = indexed.positionAt(window.to);
  const read = indexed.text.slice(window.from, window.to);
  return chunkDocument(indexed).flatMap(({ start, end, text }, ordinal): ChunkHit[] => {
    if ((start < to && end > from) || read.includes(text)) return [];
    const contentHash = hashText(text);
    const chunkId = passageId(documentId, ordinal, contentHash);
    return [{ chunkId, documentId, ordinal, start, end, text, contentHash, score: 0 }];
  });
}

/** How a passage is named everywhere. */
export function passageId(documentId: string, ordinal: number, contentHash: string): string {
  return `${documentId}#${ordinal}-${contentHash.slice(0, 12)}`;
}
