// What a text of a project is judged against: its constraints and entities, those in the folder among them, and its place in
// the story.
import type { Store } from '../../store/store.js';
import { chapterNumber } from '../documents/chapter-number.js';
import { datedEntity } from '../entities/dated-entity.js';
import { numberingOf } from '../entities/story-numbering.js';
import { readMaterial } from '../folder/material.js';
import { storeWithMaterial } from '../folder/store-with-material.js';
import type { JudgeMaterial } from './judge-text.js';

export interface JudgedPlace {
  readonly projectId: string;
  readonly documentId?: string | undefined;
  /** Wins over the one the document's title tells. */
  readonly chapter?: number | undefined;
}

export async function judgeMaterial(
  stored: Store,
  folder: string | undefined,
  { projectId, documentId, chapter }: JudgedPlace,
): Promise<JudgeMaterial> {
  const store =
    folder === undefined ? stored : storeWithMaterial(stored, projectId, await readMaterial(folder));
  const [constraints, entities, entries] = await Promise.all([
    store.constraints.list(projectId),
    store.entities.list(projectId),
    store.documents.list(projectId),
  ]);
  const numbering = numberingOf(entries);
  const dated = entities.map((entity) => datedEntity(entity, numbering).entity);
  const entry = entries.find(({ id }) => id === documentId);
  const place = entry === undefined ? undefined : (chapterNumber(entry.title) ?? entry.order);
  return { constraints, entities: dated, chapter: chapter ?? place };
}
