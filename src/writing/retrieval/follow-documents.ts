// Keeps the retrieval index abreast of the documents, by content hash: only what changed is cut and indexed again.
import { setImmediate as breathe } from 'node:timers/promises';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import type { ChunkDraft, ChunkIndex, IndexedDocument } from '../../store/tables/chunks.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { chunkDocument, passageId } from './chunk-document.js';
import { termsOf } from './terms.js';

const chunksPerBreath = 4;

/** Indexes one document if its text is not the one the index knows. */
export async function indexDocument(
  store: Store,
  project: string,
  entry: Pick<DocumentEntry, 'id' | 'contentHash'>,
): Promise<void> {
  const document = await store.documents.find(project, entry.id);
  if (document === undefined) return;
  // The embedded store answers without a pause, so pauses are made here.
  await breathe();
  const drafts: ChunkDraft[] = [];
  for (const [ordinal, chunk] of chunkDocument(document.text).entries()) {
    // Cutting terms is the slow part: others get their turn in between.
    if (ordinal % chunksPerBreath === chunksPerBreath - 1) await breathe();
    const { start, end, text } = chunk;
    const contentHash = hashText(text);
    drafts.push({
      id: passageId(document.id, ordinal, contentHash),
      ordinal,
      start,
      end,
      text,
      contentHash,
      terms: termsOf(text).join(' '),
    });
  }
  const { id: documentId, contentHash } = document;
  await breathe();
  await store.chunks.replaceChunks(project, { documentId, contentHash }, drafts);
}

const atOnce = 8;
const running = new WeakMap<ChunkIndex, Map<string, Promise<void>>>();

export interface IndexState {
  readonly indexed: readonly IndexedDocument[];
  /** Documents whose text is not yet the one the index knows. */
  readonly behind: number;
}

/** Brings the index up to date: a few documents now, more in the background. Deleted ones left with their deletion. */
export async function catchUp(
  store: Store,
  project: string,
  entries: readonly DocumentEntry[],
): Promise<IndexState> {
  const indexed = await store.chunks.indexedDocuments(project);
  const known = new Map(indexed.map(({ documentId, contentHash }) => [documentId, contentHash]));
  const changed = entries.filter(({ id, contentHash }) => known.get(id) !== contentHash);
  if (changed.length === 0) return { indexed, behind: 0 };
  const projects = running.get(store.chunks) ?? new Map<string, Promise<void>>();
  running.set(store.chunks, projects);
  if (projects.has(project)) return { indexed, behind: changed.length };
  const work = indexAll(store, project, changed.slice(0, atOnce));
  const rest = changed.slice(atOnce);
  const background = work
    .then(() => indexAll(store, project, rest))
    // The next assembly sees what is still behind and tries again.
    .catch(() => undefined)
    .finally(() => projects.delete(project));
  projects.set(project, background);
  await work;
  return { indexed: await store.chunks.indexedDocuments(project), behind: rest.length };
}

async function indexAll(store: Store, project: string, entries: readonly DocumentEntry[]): Promise<void> {
  for (const entry of entries) await indexDocument(store, project, entry);
}
