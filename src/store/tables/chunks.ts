// The retrieval index. The caller makes the terms; the store keeps, finds and counts them per project.

export interface StoredChunk {
  readonly id: string;
  readonly documentId: string;
  readonly ordinal: number;
  /** Code points, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly contentHash: string;
}

export interface ChunkDraft extends Omit<StoredChunk, 'documentId'> {
  /** Separated by white space; compared in lower case, otherwise exactly. */
  readonly terms: string;
}

export interface ChunkHit extends Omit<StoredChunk, 'id'> {
  readonly chunkId: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

export interface IndexedDocument {
  readonly documentId: string;
  readonly contentHash: string;
  readonly chunks: number;
}

export interface TermStatistics {
  /** Chunks of the project. */
  readonly chunks: number;
  /** Mean number of terms a chunk. */
  readonly averageTerms: number;
  /** Chunks of the project that hold the term, for every distinct term asked, in lower case. */
  readonly frequencies: ReadonlyMap<string, number>;
}

/** A list, or separated by white space. */
export type Terms = string | readonly string[];

export interface SearchOptions {
  readonly limit: number;
  /** One document or several that nothing is found in. */
  readonly excludeDocument?: string | readonly string[];
}

export interface ChunkIndex {
  /** Atomic: readers see the old chunks or the new ones. No chunks: the document counts as indexed and is empty. */
  replaceChunks(
    project: string,
    document: { readonly documentId: string; readonly contentHash: string },
    chunks: readonly ChunkDraft[],
  ): Promise<void>;
  /** Any term may match; best first, ties by document id, then ordinal. Costs grow with the terms: ask for dozens. */
  search(project: string, terms: Terms, options: SearchOptions): Promise<readonly ChunkHit[]>;
  statistics(project: string, terms: Terms): Promise<TermStatistics>;
  /** By document id. */
  indexedDocuments(project: string): Promise<readonly IndexedDocument[]>;
  /** In reading order. */
  chunksOf(project: string, documentId: string): Promise<readonly StoredChunk[]>;
  /** Chunks with one of these texts, by document id, then place. */
  holding(project: string, contentHashes: readonly string[]): Promise<readonly StoredChunk[]>;
  /** Forgetting an unknown document is fine. */
  forget(project: string, documentId: string): Promise<void>;
}
