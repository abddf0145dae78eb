// The texts one writes in: put, get, list, delete. A text that is put can be searched when the answer arrives.
import * as z from 'zod';
import { textField } from '../core/model/input.js';
import type { DocumentEntry, StoredDocument } from '../store/tables/documents.js';
import { textLength } from '../writing/documents/text-length.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { indexDocument } from '../writing/retrieval/follow-documents.js';
import { followVectors } from '../writing/retrieval/search-vectors.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { projectStore } from './project-store.js';
import { answer, count, inferred, named, timestamp } from './published-schema.js';
import { nameField, projectRequest } from './request-fields.js';

/** Requests call the id of a document what it is. */
type Named<Document> = Omit<Document, 'id'> & { readonly documentId: string };

const facts = named(
  'Document',
  z.strictObject({
    documentId: z.string(),
    title: z.string(),
    order: z.number().describe('place in reading order'),
    contentHash: z.string().describe('SHA-256 of the text, lowercase hexadecimal'),
    version: count,
    updatedAt: timestamp,
  }),
);

const documentFacts = answer<Named<DocumentEntry>>()(facts);

const documentRequest = z.strictObject({ projectId: nameField, documentId: nameField });

export const documentsPut = defineOperation({
  id: 'documents:put',
  summary: 'Stores a document, new or changed, and indexes it for retrieval.',
  input: documentRequest.extend({
    title: textField(1000).optional(),
    order: z.number().optional(),
    text: textField(),
  }),
  example: {
    projectId: 'novel',
    documentId: 'chapter-1',
    title: 'One',
    text: 'Ada opened the old door.',
  },
  streams: true,
  output: documentFacts,
  grant: 'write',
  errors: storeErrors,
  run: async ({ projectId, documentId, title, order, text }, context) => {
    const store = await context.store();
    const entry = await store.documents.put(projectId, {
      id: documentId,
      text,
      ...(title === undefined ? {} : { title }),
      ...(order === undefined ? {} : { order }),
    });
    // The document is stored whatever happens to the index; the next assembly catches up.
    await indexDocument(store, projectId, entry).catch(() => {
      context.log({ level: 'warning', event: 'RETRIEVAL_UNAVAILABLE', details: { hash: entry.contentHash } });
    });
    await embedIndexed(projectId, context);
    const { id, ...rest } = entry;
    return { documentId: id, ...rest };
  },
});

export const documentsGet = defineOperation({
  id: 'documents:get',
  summary: 'Gives a document with its text.',
  input: documentRequest,
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: answer<Named<StoredDocument>>()(facts.extend({ text: z.string() })),
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, documentId }, context) => {
    const { id, ...rest } = await (await projectStore(context, projectId)).documents.get(
      projectId,
      documentId,
    );
    return { documentId: id, ...rest };
  },
});

/** Whether lengths were asked for. */
interface ListedDocument extends Named<DocumentEntry> {
  readonly characters?: number;
  readonly words?: number;
}

export const documentsList = defineOperation({
  id: 'documents:list',
  summary: 'Lists the documents of a project in reading order, without their texts.',
  input: projectRequest.extend({
    lengths: z
      .boolean()
      .default(false)
      .describe('reads the chapters of the folder anew, and says how long each is'),
    ...partFields,
  }),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(
    inferred(
      z.strictObject({
        documents: z.array(
          answer<ListedDocument>()(
            facts.extend({
              characters: count.optional().describe('without blanks'),
              words: count.optional().describe('as editors count them'),
            }),
          ),
        ),
      }),
    ),
  ),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, lengths }, context) => {
    const { documents } = await projectStore(context, projectId);
    if (lengths) await followOwnFolder(await context.store(), projectId, context.folder);
    const listed: ListedDocument[] = [];
    for (const { id, ...rest } of await documents.list(projectId)) {
      const length = lengths ? textLength((await documents.get(projectId, id)).text) : {};
      listed.push({ documentId: id, ...rest, ...length });
    }
    return { documents: listed };
  },
});

export const documentsDelete = defineOperation({
  id: 'documents:delete',
  summary: 'Deletes a document and takes it out of retrieval.',
  input: documentRequest,
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: inferred(z.strictObject({ documentId: z.string(), deleted: z.literal(true) })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, documentId }, context) => {
    await (await context.store()).documents.delete(projectId, documentId);
    return { documentId, deleted: true as const };
  },
});

/** Vectors for what was just indexed, where a server is named. Without them search goes by words, so a failure is a log line. */
async function embedIndexed(projectId: string, context: OperationContext): Promise<void> {
  try {
    const source = await context.embeddings?.();
    if (source === undefined) return;
    const { signal } = context;
    const onProgress = (done: number, total: number) =>
      context.onProgress?.({ stage: 'embeddings', done, total });
    await followVectors(await context.store(), projectId, { source, signal, onProgress });
  } catch {
    context.log({ level: 'warning', event: 'EMBEDDINGS_UNAVAILABLE', details: {} });
  }
}
