import * as z from 'zod';
import type { DocumentEntry, StoredDocument } from '../../store/tables/documents.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count, milliseconds } from './numbers.js';

type Named<Document> = Omit<Document, 'id'> & { readonly documentId: string };

export type DocumentFacts = Named<DocumentEntry>;
export type WholeDocument = Named<StoredDocument>;

export interface DocumentList {
  readonly documents: readonly DocumentFacts[];
}

export interface DeletedDocument {
  readonly documentId: string;
  readonly deleted: true;
}

const facts = noun(
  'Document',
  z.strictObject({
    documentId: z.string(),
    title: z.string(),
    order: z.number().describe('place in reading order'),
    contentHash: z.string().describe('SHA-256 of the text, lowercase hexadecimal'),
    version: count,
    updatedAt: milliseconds,
  }),
);

export const documentFacts = answer<DocumentFacts>()(facts);
export const wholeDocument = answer<WholeDocument>()(facts.extend({ text: z.string() }));
export const documentList = answer<DocumentList>()(z.strictObject({ documents: z.array(facts) }));
export const deletedDocument = answer<DeletedDocument>()(
  z.strictObject({ documentId: z.string(), deleted: z.literal(true) }),
);
