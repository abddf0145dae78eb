// Scene cards: what a chapter's scene is meant to do. Continuing and expanding go by them. A card is a file beside the chapters, or fields
// in the front matter of the chapter itself; a change goes to where the card is.
import * as z from 'zod';
import { textLanguage } from '../writing/documents/text-language.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { noteHome } from '../writing/folder/note-home.js';
import { ownsFolder } from '../writing/folder/project-folder.js';
import { changeFile } from '../writing/folder/write-within.js';
import { type SceneFields, withSceneFields } from '../writing/notes/scene-card.js';
import { frontCard, frontScene, withFrontScene, withoutFrontScene } from '../writing/notes/scene-front.js';
import { indexDocument } from '../writing/retrieval/follow-documents.js';
import { defineOperation, type OperationContext, storeErrors } from './operation.js';
import { inferred } from './published-schema.js';
import { nameField, projectRequest, proseField } from './request-fields.js';

const scene = z.strictObject({
  documentId: z.string(),
  text: z.string().describe('Markdown'),
  inChapter: z.boolean().describe('it stands in the front matter of the chapter'),
});
const sceneRequest = z.strictObject({ projectId: nameField, documentId: nameField });

async function scenesOf(projectId: string, context: OperationContext) {
  const home = await noteHome(await context.store(), projectId, context.folder);
  return { home, cards: await home.list('scene') };
}

interface ChapterText {
  readonly title: string;
  readonly text: string;
}

function languageOf(card: string, { title, text }: ChapterText, fields: SceneFields = {}): 'zh' | 'en' {
  const said = [card, title, text.slice(0, 2_000), ...Object.values(fields).flat()];
  return textLanguage(said.filter((each) => each !== undefined)) ?? 'en';
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
    const scenes = cards.map(({ about, text }) => ({ documentId: about, text, inChapter: false }));
    const store = await context.store();
    await followOwnFolder(store, projectId, context.folder);
    for (const { id } of await store.documents.list(projectId)) {
      const chapter = await store.documents.get(projectId, id);
      const text = frontCard(chapter.text, languageOf('', chapter));
      if (text !== undefined) scenes.push({ documentId: id, text, inChapter: true });
    }
    return { scenes };
  },
});

const line = proseField(2_000).optional();

export const scenesPut = defineOperation({
  id: 'scenes:put',
  summary:
    'Writes the scene card of a chapter: the whole text, or single fields of the one that is there, in its file or in the front matter of the chapter.',
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
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE', 'CHANGED_MEANWHILE'],
  run: async ({ projectId, documentId, text, ...fields }, context) => {
    const store = await context.store();
    await followOwnFolder(store, projectId, context.folder);
    const chapter = await store.documents.get(projectId, documentId);
    const { home, cards } = await scenesOf(projectId, context);
    const file = cards.find(({ about }) => about === documentId)?.text;
    if (text === undefined && file === undefined && frontScene(chapter.text) !== undefined) {
      const language = languageOf('', chapter, fields);
      const changed = await changeChapter(projectId, documentId, context, (words) =>
        withFrontScene(words, fields, language),
      );
      return { documentId, text: frontCard(changed, language) ?? '', inChapter: true };
    }
    const card = text ?? file ?? '';
    const next = withSceneFields(card, fields, languageOf(card, chapter, fields));
    await home.put({ kind: 'scene', about: documentId, text: next });
    return { documentId, text: next, inChapter: false };
  },
});

export const scenesDelete = defineOperation({
  id: 'scenes:delete',
  summary: 'Deletes the scene card of a chapter.',
  input: sceneRequest,
  example: { projectId: 'novel', documentId: 'chapter-1' },
  output: inferred(z.strictObject({ documentId: z.string(), deleted: z.literal(true) })),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'FILE_UNREADABLE', 'CHANGED_MEANWHILE'],
  run: async ({ projectId, documentId }, context) => {
    const { home, cards } = await scenesOf(projectId, context);
    const store = await context.store();
    await followOwnFolder(store, projectId, context.folder);
    const chapter = await store.documents.find(projectId, documentId);
    const isFile = cards.some(({ about }) => about === documentId);
    const isInChapter = chapter !== undefined && frontScene(chapter.text) !== undefined;
    if (isFile || !isInChapter) await home.delete('scene', documentId);
    if (isInChapter) await changeChapter(projectId, documentId, context, withoutFrontScene);
    return { documentId, deleted: true as const };
  },
});

/** The head of a chapter, in its file or in the store; gives the text as it is then. */
async function changeChapter(
  projectId: string,
  documentId: string,
  context: OperationContext,
  change: (text: string) => string,
): Promise<string> {
  const store = await context.store();
  if (await ownsFolder(store, projectId, context.folder)) {
    await changeFile(context.folder, documentId, (text) => (text === undefined ? text : change(text)));
    await followOwnFolder(store, projectId, context.folder);
  } else {
    const { text, contentHash } = await store.documents.get(projectId, documentId);
    const put = { id: documentId, text: change(text), replaces: contentHash };
    await indexDocument(store, projectId, await store.documents.put(projectId, put));
  }
  return (await store.documents.get(projectId, documentId)).text;
}
