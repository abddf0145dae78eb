// Keeps the retrieval index abreast of the documents, by content hash: only what changed is cut and indexed again.
import { setImmediate as breathe } from 'node:timers/promises';
import { hashText } from '../../meters/content-hash.js';
import type { ChunkDraft } from '../../store/chunks.js';
import type { DocumentEntry } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
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

/** Documents whose text is not the one the index knows; those that are gone left the index with their deletion. */
async function staleDocuments(
  store: Store,
  project: string,
  entries: readonly DocumentEntry[],
): Promise<readonly DocumentEntry[]> {
  const indexed = await store.chunks.indexedDocuments(project);
  const known = new Map(indexed.map(({ documentId, contentHash }) => [documentId, contentHash]));
  return entries.filter(({ id, contentHash }) => known.get(id) !== contentHash);
}

const atOnce = 8;
const running = new WeakMap<Store, Map<string, Promise<void>>>();

/** Brings the index up to date: a few documents now, more in the background. Says how many are still behind. */
export async function catchUp(
  store: Store,
  project: string,
  entries: readonly DocumentEntry[],
): Promise<number> {
  const changed = await staleDocuments(store, project, entries);
  if (changed.length === 0) return 0;
  const projects = running.get(store) ?? new Map<string, Promise<void>>();
  running.set(store, projects);
  if (projects.has(project)) return changed.length;
  const rest = changed.slice(atOnce);
  const work = (async () => {
    for (const entry of changed.slice(0, atOnce)) await indexDocument(store, project, entry);
  })();
  const background = work
    .then(async () => {
      for (const entry of rest) await indexDocument(store, project, entry);
    })
    // The next assembly sees what is still behind and tries again.
    .catch(() => undefined)
    .finally(() => projects.delete(project));
  projects.set(project, background);
  await work;
  return rest.length;
}
