// Scene cards: what a chapter's scene is meant to do. Continuing and expanding go by them.
import * as z from 'zod';
import { textLanguage } from '../writing/documents/text-language.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { noteHome } from '../writing/folder/note-home.js';
import { withSceneFields } from '../writing/notes/scene-card.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inferred } from './published-schema.js';
import { nameField, projectRequest, proseField } from './request-fields.js';

const scene = z.strictObject({ documentId: z.string(), text: z.string().describe('Markdown') });
const sceneRequest = z.strictObject({ projectId: nameField, documentId: nameField });

async function scenesOf(projectId: string, context: OperationContext) {
  const home = await noteHome(await context.store(), projectId, context.folder);
  return { home, cards: await home.list('scene') };
}

export const scenesList = defineOperation({
  id: 'scenes:list',
  summary: 'Lists the scene cards of a project.',
  input: projectRequest,
  example: { projectId: 'novel' },
  output: inferred(z.strictObject({ scenes: z.array(scene) })),
  grant: 'read',
  errors: [...storeErrors, 'FILE_UNREADABLE'],
  run: async ({ projectId }, context) => {
    const { cards } = await scenesOf(projectId, context);
    return { scenes: cards.map(({ about, text }) => ({ documentId: about, text })) };
  },
});

const line = proseField(2_000).optional();

export const scenesPut = defineOperation({
  id: 'scenes:put',
  summary: 'Writes the scene card of a chapter: the whole text, or single fields of the one that is there.',
  input: sceneRequest
    .extend({
      text: proseField(50_000).optional().describe('in place of the card'),
      pov: line.describe('who sees it'),
      place: line.describe('where it plays'),
      time: line.describe('when it plays'),
      people: line.describe('who is there'),
      beats: z.array(proseField(2_000)).max(100).optional().describe('added behind those that are there'),
    })
    .refine(
      ({ projectId: _, documentId: __, ...rest }) => Object.values(rest).some((each) => each !== undefined),
      {
        error: 'say what changes: text, pov, place, time, people or beats',
      },
    ),
  example: { projectId: 'novel', documentId: 'chapter-1', pov: 'Ada', beats: ['She finds the room empty.'] },
  output: scene,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, documentId, text, ...fields }, context) => {
    const store = await context.store();
    await followOwnFolder(store, projectId, context.folder);
    const chapter = await store.documents.get(projectId, documentId);
    const { home, cards } = await scenesOf(projectId, context);
    const card = text ?? cards.find(({ about }) => about === documentId)?.text ?? '';
    const said = [card, chapter.title, chapter.text.slice(0, 2_000), ...Object.values(fields).flat()];
    const language = textLanguage(said.filter((each) => each !== undefined)) ?? 'en';
    const next = withSceneFields(card, fields, language);
    await home.put({ kind: 'scene', about: documentId, text: next });
    return { documentId, text: next };
  },
});

export const scenesDelete = defineOperation({
  id: 'scenes:delete',
  summary: 'Deletes the scene card of a chapter.',
  input: sceneRequest,
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: inferred(z.strictObject({ documentId: z.string(), deleted: z.literal(true) })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE'],
  run: async ({ projectId, documentId }, context) => {
    const { home } = await scenesOf(projectId, context);
    await home.delete('scene', documentId);
    return { documentId, deleted: true as const };
  },
});
