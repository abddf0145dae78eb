// documents:index: brings the index of a whole book abreast of its chapters, and the vectors too, where an embedding server is named.
import * as z from 'zod';
import { indexDocument } from '../writing/retrieval/follow-documents.js';
import { followVectors } from '../writing/retrieval/search-vectors.js';
import { bookStore } from './book.js';
import { defineOperation, storeErrors } from './operation.js';
import { count, inferred } from './published-schema.js';
import { projectRequest } from './request-fields.js';
import { warnings } from './shared-answers.js';

export const documentsIndex = defineOperation({
  id: 'documents:index',
  summary:
    'Indexes every document of a project whose text is not the one the index knows, and embeds what has no vector.',
  input: projectRequest,
  example: { projectId: 'novel' },
  streams: true,
  output: inferred(
    z.strictObject({
      documents: count.describe('how many there are'),
      indexed: count.describe('how many of them were indexed anew'),
      embedded: z.boolean().describe('every passage has a vector; false without an embedding server'),
      warnings,
    }),
  ),
  grant: 'write',
  errors: [
    ...storeErrors,
    'FILE_UNREADABLE',
    'CONFIG_INVALID',
    'MODEL_UNAVAILABLE',
    'MODEL_ANSWER_INVALID',
    'TIMEOUT',
  ],
  run: async ({ projectId }, context) => {
    const { store, followed } = await bookStore(context, projectId);
    const documents = await store.documents.list(projectId);
    const indexed = await store.chunks.indexedDocuments(projectId);
    const known = new Map(indexed.map(({ documentId, contentHash }) => [documentId, contentHash]));
    const changed = documents.filter(({ id, contentHash }) => known.get(id) !== contentHash);
    for (const [done, entry] of changed.entries()) {
      context.signal.throwIfAborted();
      await indexDocument(store, projectId, entry);
      context.onProgress?.({ stage: 'index', done: done + 1, total: changed.length });
    }
    const source = await context.embeddings?.();
    while (source !== undefined && (await store.vectors.missing(projectId, source.model, 1)).length > 0) {
      await followVectors(store, projectId, {
        source,
        signal: context.signal,
        onProgress: (done, total) => context.onProgress?.({ stage: 'embeddings', done, total }),
      });
    }
    return {
      documents: documents.length,
      indexed: changed.length,
      embedded: source !== undefined,
      warnings: followed,
    };
  },
});
