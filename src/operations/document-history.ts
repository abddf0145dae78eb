// The states a document was in: list them, keep the one of now under a name, bring one back.
import * as z from 'zod';
import { chapterHistory, restoreVersion, takeSnapshot } from '../writing/drafts/history.js';
import type { Version } from '../writing/drafts/steps.js';
import { afterChange, changeErrors, chapterErrors, homesOf } from './drafts.js';
import { defineOperation } from './operation.js';
import { answer, inferred, named, timestamp } from './published-schema.js';
import { nameField } from './request-fields.js';

const documentRequest = z.strictObject({ projectId: nameField, documentId: nameField });

const version = answer<Version>()(
  named(
    'DocumentVersion',
    z.strictObject({
      version: z.int().positive().describe('its number, from 1 on; it stays when others come'),
      at: timestamp,
      hash: z.string().describe('SHA-256, lowercase hexadecimal'),
      kind: z
        .enum(['before', 'apply', 'undo', 'restore', 'snapshot'])
        .describe('before: as it was when a draft came; the others as they left it'),
      draft: z.string().optional().describe('that was applied'),
      name: z.string().optional().describe('of a snapshot'),
    }),
  ),
);

export const documentsHistory = defineOperation({
  id: 'documents:history',
  summary: 'Lists the states a document was in, oldest first.',
  input: documentRequest,
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: inferred(
    z.strictObject({
      documentId: z.string(),
      current: z.string().optional().describe('hash of the document now; absent where it is gone'),
      versions: z.array(version),
    }),
  ),
  grant: 'read',
  errors: chapterErrors,
  run: async ({ projectId, documentId }, context) => {
    const home = (await homesOf(projectId, context)).ofDocument(documentId);
    const { versions, current } = await chapterHistory(home, documentId);
    return { documentId, ...(current === undefined ? {} : { current }), versions };
  },
});

export const documentsSnapshot = defineOperation({
  id: 'documents:snapshot',
  summary: 'Keeps a document as it is now, under a name if one is given.',
  input: documentRequest.extend({ name: nameField.optional() }),
  example: { projectId: 'novel', documentId: 'chapter-1', name: 'before the cut' },
  output: version,
  grant: 'write',
  errors: [...chapterErrors, 'ALREADY_EXISTS'],
  run: async ({ projectId, documentId, name }, context) => {
    const home = (await homesOf(projectId, context)).ofDocument(documentId);
    return takeSnapshot(home, documentId, { name, at: context.now() });
  },
});

export const documentsRestore = defineOperation({
  id: 'documents:restore',
  summary: 'Brings a state of a document back; the one it is in now is kept first, and undo returns to it.',
  input: documentRequest.extend({ version: nameField.describe('its number, or the name of a snapshot') }),
  example: { projectId: 'novel', documentId: 'chapter-1', version: 'before the cut' },
  output: version,
  grant: 'write',
  errors: changeErrors,
  run: async ({ projectId, documentId, version: called }, context) => {
    const home = (await homesOf(projectId, context)).ofDocument(documentId);
    const restored = await restoreVersion(home, documentId, { called, at: context.now() });
    await afterChange(projectId, context);
    return restored;
  },
});
