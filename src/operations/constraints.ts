// The rules a text must not break: list, create, update, delete.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { constraint, constraintKind, constraintList, constraintOrigin } from './answers/constraint.js';
import { deleted } from './answers/deleted.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';
import { itemRequest, nameField, projectRequest, proseField } from './writing-fields.js';

const constraintText = proseField(20_000);

export const constraintsList = defineOperation({
  id: 'constraints:list',
  summary: 'Lists the constraints of a project, highest priority first.',
  input: projectRequest,
  output: constraintList,
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => ({
    constraints: await (await context.store()).constraints.list(projectId),
  }),
});

export const constraintsCreate = defineOperation({
  id: 'constraints:create',
  summary:
    'Adds a constraint to a project, which holds at most 500; the same words of the same kind are there once.',
  input: z.strictObject({
    projectId: nameField,
    id: nameField.optional(),
    text: constraintText,
    kind: constraintKind,
    origin: constraintOrigin.default('user'),
    priority: z.int().default(0),
    pinned: z.boolean().default(false),
  }),
  output: constraint,
  grant: 'write',
  errors: [...storeErrors, 'CONTEXT_LIMIT_EXCEEDED', 'ALREADY_EXISTS'],
  run: async ({ projectId, id, ...draft }, context) => {
    const { constraints } = await context.store();
    const rows = await constraints.list(projectId);
    const twin = rows.find(({ kind, text }) => kind === draft.kind && text.trim() === draft.text.trim());
    if (twin !== undefined) throw alreadyThere(twin.id);
    return constraints.create(projectId, { ...draft, ...(id === undefined ? {} : { id }) });
  },
});

function alreadyThere(id: string): GalleyError {
  const message = 'This constraint is there already, with the same words and kind; change that one.';
  return new GalleyError('ALREADY_EXISTS', message, { details: { kind: 'constraint', field: 'text', id } });
}

export const constraintsUpdate = defineOperation({
  id: 'constraints:update',
  summary: 'Changes fields of a constraint; fields left out keep their value.',
  input: itemRequest.extend({
    text: constraintText.optional(),
    kind: constraintKind.optional(),
    origin: constraintOrigin.optional(),
    priority: z.int().optional(),
    pinned: z.boolean().optional(),
  }),
  output: constraint,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, id, ...change }, context) => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return (await context.store()).constraints.update(projectId, id, given);
  },
});

export const constraintsDelete = defineOperation({
  id: 'constraints:delete',
  summary: 'Deletes a constraint of a project.',
  input: itemRequest,
  output: deleted,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, id }, context) => {
    await (await context.store()).constraints.delete(projectId, id);
    return { id, deleted: true as const };
  },
});
