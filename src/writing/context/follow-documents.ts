// Keeps the retrieval index abreast of the documents, by content hash: only what changed is cut and indexed again.
import { setImmediate as breathe } from 'node:timers/promises';
import type { ChunkDraft } from '../../store/chunks.js';
import type { DocumentEntry } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { hashText } from '../../meters/content-hash.js';
import { chunkDocument } from '../retrieval/chunk-document.js';
import { termsOf } from '../retrieval/terms.js';

const chunksPerBreath = 16;

/** Indexes one document if its text is not the one the index knows. */
export async function indexDocument(
  store: Store,
  project: string,
  entry: Pick<DocumentEntry, 'id' | 'contentHash'>,
): Promise<void> {
  const document = await store.documents.find(project, entry.id);
  if (document === undefined) return;
  const drafts: ChunkDraft[] = [];
  for (const [ordinal, chunk] of chunkDocument(document.text).entries()) {
    // Cutting terms is the slow part: others get their turn in between.
    if (ordinal % chunksPerBreath === chunksPerBreath - 1) await breathe();
    const { start, end, text } = chunk;
    const contentHash = hashText(text);
    drafts.push({
      id: `${document.id}#${ordinal}-${contentHash.slice(0, 12)}`,
      ordinal,
      start,
      end,
      text,
      contentHash,
      terms: termsOf(text).join(' '),
    });
  }
  const { id: documentId, contentHash } = document;
  await store.chunks.replaceChunks(project, { documentId, contentHash }, drafts);
}

/** Documents whose text is not the one the index knows, and indexed ones that are gone. */
export async function staleDocuments(
  store: Store,
  project: string,
  entries: readonly DocumentEntry[],
): Promise<{ changed: readonly DocumentEntry[]; gone: readonly string[] }> {
  const indexed = await store.chunks.indexedDocuments(project);
  const known = new Map(indexed.map(({ documentId, contentHash }) => [documentId, contentHash]));
  const present = new Set(entries.map(({ id }) => id));
  return {
    changed: entries.filter(({ id, contentHash }) => known.get(id) !== contentHash),
    gone: indexed.map(({ documentId }) => documentId).filter((id) => !present.has(id)),
  };
}
