// What is remembered: list, put, confirm, delete. What a caller puts counts at once; what was learned waits for confirmation.
import * as z from 'zod';
import type { MemoryItem } from '../store/tables/memory.js';
import { defineOperation, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { listedStore, projectStore } from './project-store.js';
import { answer, inferred, named, ratio, timestamp } from './published-schema.js';
import { itemRequest, nameField, projectRequest, proseField } from './request-fields.js';
import { deleted } from './shared-answers.js';

const memoryKind = z.enum(['semantic', 'episodic', 'working']);
const memoryOrigin = z.enum(['caller', 'learned']);

const memoryItem = answer<MemoryItem>()(
  named(
    'MemoryItem',
    z.strictObject({
      id: z.string(),
      kind: memoryKind,
      text: z.string(),
      confidence: ratio,
      confirmed: z.boolean().describe('what was learned counts only then'),
      origin: memoryOrigin,
      createdAt: timestamp,
    }),
  ),
);

export const memoryList = defineOperation({
  id: 'memory:list',
  summary: 'Lists the memory of a project in order of creation.',
  input: projectRequest.extend({
    kind: memoryKind.optional(),
    confirmed: z.boolean().optional(),
    origin: memoryOrigin.optional(),
    ...partFields,
  }),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(inferred(z.strictObject({ memory: z.array(memoryItem) }))),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, kind, confirmed, origin }, context) => ({
    memory: await (await listedStore(context, projectId)).memory.list(projectId, {
      ...(kind === undefined ? {} : { kind }),
      ...(confirmed === undefined ? {} : { confirmed }),
      ...(origin === undefined ? {} : { origin }),
    }),
  }),
});

export const memoryPut = defineOperation({
  id: 'memory:put',
  summary: 'Remembers something; with origin "learned" it waits for confirmation.',
  input: z.strictObject({
    projectId: nameField,
    id: nameField.optional(),
    kind: memoryKind,
    text: proseField(200_000),
    confidence: z.number().min(0).max(1).optional(),
    origin: memoryOrigin.default('caller'),
  }),
  example: {
    projectId: 'novel',
    id: 'short-sentences',
    kind: 'semantic',
    text: 'Prefers short sentences.',
    origin: 'learned',
  },
  output: memoryItem,
  grant: 'write',
  errors: [...storeErrors, 'ALREADY_EXISTS', 'FILE_UNREADABLE'],
  run: async ({ projectId, id, confidence, origin, ...rest }, context) => {
    const draft = {
      ...rest,
      ...(id === undefined ? {} : { id }),
      ...(confidence === undefined ? {} : { confidence }),
    };
    const { memory } = await projectStore(context, projectId);
    return origin === 'learned' ? memory.learn(projectId, draft) : memory.put(projectId, draft);
  },
});

export const memoryConfirm = defineOperation({
  id: 'memory:confirm',
  summary: 'Confirms something that was learned, so that it counts.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'short-sentences' },
  output: memoryItem,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, id }, context) =>
    (await projectStore(context, projectId)).memory.confirm(projectId, id),
});

export const memoryDelete = defineOperation({
  id: 'memory:delete',
  summary: 'Forgets something.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'short-sentences' },
  output: deleted,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, id }, context) => {
    await (await projectStore(context, projectId)).memory.delete(projectId, id);
    return { id, deleted: true as const };
  },
});
