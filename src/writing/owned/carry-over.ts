// What only the store knows of a folder's project, written to the files it belongs in: rows of the version before, once. A file
// is written before its rows go, and what a file says already is not written again, so a second try ends like the first.
import { isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import type { Constraint } from '../../store/tables/constraints.js';
import type { Entity } from '../../store/tables/entities.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import type { Summary } from '../../store/tables/runs.js';
import type { StoredSkill } from '../../store/tables/skills.js';
import { followedIn } from '../folder/follow-folder.js';
import {
  budgetFile,
  budgetText,
  folderNumbering,
  isMaterialId,
  materialPath,
  readCards,
  readMaterial,
  settingFiles,
} from '../folder/material.js';
import { changeFile } from '../folder/write-within.js';
import { editCard, newCard } from '../told/edit-card.js';
import { withChangedItem, withEntry } from '../told/list-file.js';
import { constraintList, episodeList, memoryList, readTold, type ToldList } from '../told/told-lists.js';
import { newCardPath, secondCardPath } from './card-place.js';

interface StoredOnly {
  readonly constraints: readonly Constraint[];
  readonly entities: readonly Entity[];
  readonly memory: readonly MemoryItem[];
  /** Oldest first. */
  readonly episodes: readonly Summary[];
  readonly settings: readonly { readonly key: string; readonly text: string }[];
  readonly skills: readonly StoredSkill[];
}

export type CarriedKind = keyof StoredOnly;

/** So many of a kind, and the file or folder they go to. */
export interface Carried {
  readonly kind: CarriedKind;
  readonly path: string;
  readonly count: number;
}

/** What would be written where. */
export async function toCarryOver(
  store: Store,
  project: string,
  folder: string,
): Promise<readonly Carried[]> {
  const stored = await storedOnly(store, project, folder);
  const [card] = stored.entities;
  const places: Readonly<Record<CarriedKind, () => Promise<string>>> = {
    constraints: () => materialPath(folder, constraintList.file),
    memory: () => materialPath(folder, memoryList.file),
    episodes: () => materialPath(folder, episodeList.file),
    entities: async () =>
      card === undefined ? '' : (await newCardPath(folder, card)).replace(/[^/]+$/u, ''),
    settings: async () => '.galley/',
    skills: async () => '.galley/skills/',
  };
  const carried: Carried[] = [];
  for (const kind of Object.keys(places) as CarriedKind[]) {
    const count = stored[kind].length;
    if (count > 0) carried.push({ kind, count, path: await places[kind]() });
  }
  return carried;
}

export interface CarriedOver {
  readonly carried: readonly Carried[];
  /** What rows are called now, by what they were called. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Whoever calls it holds the lock of the folder, and follows the folder afterwards. */
export async function carryOver(store: Store, project: string, folder: string): Promise<CarriedOver> {
  const carried = await toCarryOver(store, project, folder);
  const ids = new Map<string, string>();
  if (carried.length === 0) return { carried, ids };
  const stored = await storedOnly(store, project, folder);
  await carryRows(constraintList, stored.constraints, { folder, ids });
  for (const { id } of stored.constraints) await store.constraints.delete(project, id);
  await carryRows(memoryList, stored.memory, { folder, ids });
  for (const { id } of stored.memory) await store.memory.delete(project, id);
  await carryRows(episodeList, stored.episodes, { folder, ids });
  for (const { id } of stored.episodes) await store.summaries.delete(project, id);
  for (const entity of stored.entities) {
    ids.set(entity.id, await carryCard(entity, folder));
    await store.entities.delete(project, entity.id);
  }
  for (const { key, text } of stored.settings) await carryText(settingPath(key), text, folder);
  for (const { id, source } of stored.skills)
    await carryText(`.galley/skills/${id}/SKILL.md`, source, folder);
  return { carried, ids };
}

const budgetKey = 'budget';

async function storedOnly(store: Store, project: string, folder: string): Promise<StoredOnly> {
  const hasBudget = (await readMaterial(folder)).budget !== undefined;
  const isStored = ({ id }: { readonly id: string }) => !isMaterialId(id);
  const [constraints, entities, memory, episodes, settings, skills, followed, budget] = await Promise.all([
    store.constraints.list(project),
    store.entities.list(project),
    store.memory.list(project),
    store.summaries.recent(project, Number.MAX_SAFE_INTEGER),
    store.settings.list(project),
    store.skills.list(project),
    followedIn(store, project),
    store.budgets.get(project),
  ]);
  return {
    constraints: constraints.filter(isStored),
    entities: entities.filter(isStored),
    memory: memory.filter(isStored),
    episodes: episodes.filter(isStored).reverse(),
    settings: [
      ...settings.filter(({ key }) => settingPath(key) !== '' && !followed.settings.includes(key)),
      ...(budget.version === 0 || hasBudget ? [] : [{ key: budgetKey, text: budgetText(budget.value) }]),
    ],
    skills: skills.filter(({ id, projectId }) => projectId === project && !followed.skills.includes(id)),
  };
}

function settingPath(key: string): string {
  const name = key === budgetKey ? budgetFile : settingFiles.find(([each]) => each === key)?.[1];
  return name === undefined ? '' : `.galley/${name}`;
}

/** Ids that a machine made say nothing to anybody. */
const generated = /^[0-9a-f]{8}-[0-9a-f-]{27}$/iu;

async function carryRows<Row extends { readonly id: string }>(
  list: ToldList<Row>,
  rows: readonly Row[],
  { folder, ids }: { readonly folder: string; readonly ids: Map<string, string> },
): Promise<void> {
  if (rows.length === 0) return;
  const path = await materialPath(folder, list.file);
  await changeFile(folder, path, (text) =>
    rows.reduce<string | undefined>((said, row) => {
      const entry = list.entry(row, generated.test(row.id) ? undefined : row.id);
      const known = readTold(list, said ?? '', path)
        .flatMap(({ items }) => items)
        .find(
          (item) =>
            item.kind === entry.kind &&
            item.words === entry.words.trim() &&
            item.notes.run === entry.notes.run,
        );
      ids.set(row.id, list.row(known ?? entry, path).id);
      if (known === undefined) return withEntry(said, list.form, entry);
      // Pinned in one place is pinned.
      const isStronger = list.form === constraintList.form && entry.marked && !known.marked;
      return isStronger ? withChangedItem(said ?? '', list.form, known, { ...known, marked: true }) : said;
    }, text),
  );
}

/** A card that says the same is enough; one that says something else stays, and another stands behind it. */
async function carryCard(entity: Entity, folder: string): Promise<string> {
  const numbering = await folderNumbering(folder);
  const cards = (await readCards(folder)).filter(({ name }) => name === entity.name);
  for (const { id } of cards) {
    let isSame = false;
    await changeFile(folder, id, (text = '') => {
      isSame = saysSame(text, entity, { path: id, numbering });
      return text;
    });
    if (isSame) return id;
  }
  const [first] = cards;
  const path =
    first === undefined ? await newCardPath(folder, entity) : await secondCardPath(folder, first.id);
  await changeFile(folder, path, () => newCard(entity, { path, numbering }));
  return path;
}

function saysSame(text: string, entity: Entity, place: Parameters<typeof editCard>[2]): boolean {
  try {
    return editCard(text, entity, place) === text;
  } catch (error) {
    // It would have to be changed, and cannot be.
    if (isGalleyError(error)) return false;
    throw error;
  }
}

async function carryText(path: string, text: string, folder: string): Promise<void> {
  await changeFile(folder, path, (known) => (known === undefined || known.trim() === '' ? text : known));
}
