// What is remembered: list, put, confirm, delete. What a caller puts counts at once; what was learned waits for confirmation.
import { z } from 'zod';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';
import { itemRequest, nameField, projectRequest, proseField } from './writing-fields.js';

const kind = z.enum(['semantic', 'episodic', 'working']);
const origin = z.enum(['caller', 'learned']);

export const memoryList = defineOperation({
  id: 'memory:list',
  summary: 'Lists the memory of a project in order of creation.',
  input: projectRequest.extend({
    kind: kind.optional(),
    confirmed: z.boolean().optional(),
    origin: origin.optional(),
  }),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, kind: only, confirmed, origin: from }, context) => ({
    memory: await (await context.store()).memory.list(projectId, {
      ...(only === undefined ? {} : { kind: only }),
      ...(confirmed === undefined ? {} : { confirmed }),
      ...(from === undefined ? {} : { origin: from }),
    }),
  }),
});

export const memoryPut = defineOperation({
  id: 'memory:put',
  summary: 'Remembers something; with origin "learned" it waits for confirmation.',
  input: z.strictObject({
    projectId: nameField,
    id: nameField.optional(),
    kind,
    text: proseField(200_000),
    confidence: z.number().min(0).max(1).optional(),
    origin: origin.default('caller'),
  }),
  grant: 'write',
  errors: [...storeErrors, 'ALREADY_EXISTS'],
  run: async ({ projectId, id, confidence, origin: from, ...rest }, context) => {
    const draft = {
      ...rest,
      ...(id === undefined ? {} : { id }),
      ...(confidence === undefined ? {} : { confidence }),
    };
    const { memory } = await context.store();
    return from === 'learned' ? memory.learn(projectId, draft) : memory.put(projectId, draft);
  },
});

export const memoryConfirm = defineOperation({
  id: 'memory:confirm',
  summary: 'Confirms something that was learned, so that it counts.',
  input: itemRequest,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, id }, context) => (await context.store()).memory.confirm(projectId, id),
});

export const memoryDelete = defineOperation({
  id: 'memory:delete',
  summary: 'Forgets something.',
  input: itemRequest,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, id }, context) => {
    await (await context.store()).memory.delete(projectId, id);
    return { id, deleted: true };
  },
});
