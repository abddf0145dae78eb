// People, places and things of a project: put, get, list, delete.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import type { Entity, EntityDraft } from '../store/tables/entities.js';
import { defineOperation, storeErrors } from './operation.js';
import { inParts, partFields } from './parts.js';
import { listedStore, projectStore } from './project-store.js';
import { answer, count, inferred, named, timestamp } from './published-schema.js';
import { itemRequest, nameField, projectRequest, proseField } from './request-fields.js';
import { deleted } from './shared-answers.js';

const inclusion = z.enum(['always', 'detected', 'manual', 'never']);

const words = {
  from: 'first chapter in which it holds',
  until: 'last chapter in which it holds',
  hiddenUntil: 'hidden in every chapter before this one',
  to: 'name of the other one',
};

const entity = answer<Entity>()(
  named(
    'Entity',
    z.strictObject({
      id: z.string(),
      name: z.string(),
      aliases: z.array(z.string()),
      kind: z.string(),
      description: z.string(),
      inclusion: inclusion.describe('when it comes into a context'),
      neverTrimmed: z.boolean(),
      facts: z.array(
        z.strictObject({
          text: z.string(),
          from: z.number().optional().describe(words.from),
          until: z.number().optional().describe(words.until),
        }),
      ),
      secrets: z.array(
        z.strictObject({
          text: z.string(),
          hiddenUntil: z.number().describe(words.hiddenUntil),
        }),
      ),
      relations: z.array(z.strictObject({ to: z.string().describe(words.to), label: z.string() })),
      damaged: z
        .array(z.string())
        .optional()
        .describe('fields whose stored form could not be read; they are empty here'),
      version: count,
      updatedAt: timestamp,
    }),
  ),
);

const chapter = z.number().nonnegative();

export const entitiesPut = defineOperation({
  id: 'entities:put',
  summary: 'Stores an entity; one of the same name is replaced. In a folder project that is its card.',
  input: z.strictObject({
    projectId: nameField,
    id: nameField.optional(),
    version: count
      .optional()
      .describe('of the entity that was read, with its id; refused where it is another one by now'),
    name: nameField,
    aliases: z.array(nameField).max(200).optional(),
    kind: textField(100).optional(),
    description: textField(200_000),
    inclusion: inclusion.optional(),
    neverTrimmed: z.boolean().optional(),
    facts: z
      .array(
        z
          .strictObject({
            text: proseField(20_000),
            from: chapter.optional().describe(words.from),
            until: chapter.optional().describe(words.until),
          })
          .refine(({ from, until }) => from === undefined || until === undefined || from <= until, {
            path: ['until'],
            error: 'must not be a chapter before that of from',
          }),
      )
      .max(1000)
      .optional(),
    secrets: z
      .array(z.strictObject({ text: proseField(20_000), hiddenUntil: chapter.describe(words.hiddenUntil) }))
      .max(1000)
      .optional(),
    relations: z
      .array(z.strictObject({ to: nameField.describe(words.to), label: textField(200) }))
      .max(1000)
      .optional(),
  }),
  example: { projectId: 'novel', id: 'ada', name: 'Ada', description: 'Keeps the lighthouse.' },
  output: entity,
  grant: 'write',
  errors: [...storeErrors, 'ALREADY_EXISTS', 'FILE_UNREADABLE', 'NOT_FOUND', 'CHANGED_MEANWHILE'],
  run: async ({ projectId, version, ...draft }, context) => {
    if (version !== undefined && draft.id !== undefined) {
      const known = await (await listedStore(context, projectId)).entities.get(projectId, draft.id);
      if (known.version !== version) throw changedMeanwhile();
    }
    return (await projectStore(context, projectId)).entities.put(projectId, draft as EntityDraft);
  },
});

function changedMeanwhile(): GalleyError {
  const message = 'This card was changed by somebody else since it was read; nothing was written.';
  return new GalleyError('CHANGED_MEANWHILE', message, { details: { field: 'version' } });
}

export const entitiesGet = defineOperation({
  id: 'entities:get',
  summary: 'Gives one entity.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'ada' },
  output: entity,
  grant: 'read',
  errors: [...storeErrors, 'NOT_FOUND'],
  run: async ({ projectId, id }, context) =>
    (await listedStore(context, projectId)).entities.get(projectId, id),
});

export const entitiesList = defineOperation({
  id: 'entities:list',
  summary: 'Lists the entities of a project by name.',
  input: projectRequest.extend(partFields),
  inParts: true,
  example: { projectId: 'novel' },
  output: inParts(inferred(z.strictObject({ entities: z.array(entity) }))),
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId }, context) => ({
    entities: await (await listedStore(context, projectId)).entities.list(projectId),
  }),
});

export const entitiesDelete = defineOperation({
  id: 'entities:delete',
  summary: 'Deletes an entity.',
  input: itemRequest,
  example: { projectId: 'novel', id: 'ada' },
  output: deleted,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, id }, context) => {
    await (await projectStore(context, projectId)).entities.delete(projectId, id);
    return { id, deleted: true as const };
  },
});
