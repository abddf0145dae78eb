// The texts one writes in: put, get, list, delete. A text that is put can be searched when the answer arrives.
import * as z from 'zod';
import { textField } from '../core/model/input.js';
import { indexDocument } from '../writing/retrieval/follow-documents.js';
import { deletedDocument, documentFacts, documentList, wholeDocument } from './answers/document.js';
import { embedIndexed } from './context-embeddings.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';
import { nameField, projectRequest } from './writing-fields.js';

const documentRequest = z.strictObject({ projectId: nameField, documentId: nameField });

export const documentsPut = defineOperation({
  id: 'documents:put',
  summary: 'Stores a document, new or changed, and indexes it for retrieval.',
  input: documentRequest.extend({
    title: textField(1000).optional(),
    order: z.number().optional(),
    text: textField(),
  }),
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
  output: wholeDocument,
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, documentId }, context) => {
    const { id, ...rest } = await (await context.store()).documents.get(projectId, documentId);
    return { documentId: id, ...rest };
  },
});

export const documentsList = defineOperation({
  id: 'documents:list',
  summary: 'Lists the documents of a project in reading order, without their texts.',
  input: projectRequest,
  output: documentList,
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => {
    const entries = await (await context.store()).documents.list(projectId);
    return { documents: entries.map(({ id, ...rest }) => ({ documentId: id, ...rest })) };
  },
});

export const documentsDelete = defineOperation({
  id: 'documents:delete',
  summary: 'Deletes a document and takes it out of retrieval.',
  input: documentRequest,
  output: deletedDocument,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, documentId }, context) => {
    await (await context.store()).documents.delete(projectId, documentId);
    return { documentId, deleted: true as const };
  },
});
