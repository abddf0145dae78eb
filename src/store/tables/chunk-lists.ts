// The retrieval index as every engine lists it: what is checked before chunks are kept, which documents are indexed, and chunks by
// their place or their text.
import type { Kysely } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { checkedInteger, checkedName, checkedText } from './checked.js';
import type { ChunkDraft, ChunkIndex, IndexedDocument } from './chunks.js';
import type { Database, Schema } from './schema.js';

const chunkColumns = [
  'id',
  'document as documentId',
  'ordinal',
  'first as start',
  'past as end',
  'text',
  'content_hash as contentHash',
] as const;

export async function totalsOf(
  db: Kysely<Schema>,
  project: string,
): Promise<{ chunks: number; averageTerms: number }> {
  const totals = await db
    .selectFrom('indexed_documents')
    .select(({ fn }) => [
      fn.sum<number | null>('chunks').as('chunks'),
      fn.sum<number | null>('terms').as('terms'),
    ])
    .where('project', '=', project)
    .executeTakeFirst();
  const chunks = totals?.chunks ?? 0;
  return { chunks, averageTerms: chunks === 0 ? 0 : (totals?.terms ?? 0) / chunks };
}

export function checkChunks(chunks: readonly ChunkDraft[]): void {
  for (const chunk of chunks) {
    checkedName('chunks.id', chunk.id);
    checkedText('chunks.text', chunk.text);
    checkedInteger('chunks.ordinal', chunk.ordinal);
    checkedInteger('chunks.start', chunk.start);
    checkedInteger('chunks.end', chunk.end);
  }
  if (new Set(chunks.map(({ ordinal }) => ordinal)).size < chunks.length) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'chunks.ordinal appears twice; number the chunks of a document.',
      {
        details: { field: 'chunks.ordinal' },
      },
    );
  }
}

export async function indexedIn(db: Kysely<Schema>, project: string): Promise<readonly IndexedDocument[]> {
  return db
    .selectFrom('indexed_documents')
    .select(['document as documentId', 'content_hash as contentHash', 'chunks'])
    .where('project', '=', project)
    .orderBy('document')
    .execute();
}

export function chunkListsIn(database: Database): Pick<ChunkIndex, 'chunksOf' | 'holding'> {
  return {
    chunksOf: (project, documentId) =>
      database.read((db) =>
        db
          .selectFrom('chunks')
          .select(chunkColumns)
          .where('project', '=', project)
          .where('document', '=', documentId)
          .orderBy('ordinal')
          .execute(),
      ),
    holding: (project, contentHashes) =>
      database.read(async (db) =>
        contentHashes.length === 0
          ? []
          : db
              .selectFrom('chunks')
              .select(chunkColumns)
              .where('project', '=', project)
              .where('content_hash', 'in', contentHashes)
              .orderBy('document')
              .orderBy('ordinal')
              .execute(),
      ),
  };
}
