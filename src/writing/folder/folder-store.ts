// The store of a project that owns its folder: what changes constraints, people, memory, episodes, settings or skills changes a file
// first, and the store then follows the folder. Whoever works through it need not know of files, and deleting the store loses nothing.
import { isGalleyError } from '../../core/model/error.js';
import { loadSkillFolder } from '../../skills/load-skill-folder.js';
import type { Store } from '../../store/store.js';
import { alreadyExists, notFound } from '../../store/tables/checked.js';
import { type Constraint, checkRoom } from '../../store/tables/constraints.js';
import type { EntityDraft } from '../../store/tables/entities.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import { cardKind } from './card-file.js';
import { findCard, newCardPath } from './card-place.js';
import { type CarriedOver, carryOver } from './carry-over.js';
import { addTold, changeTold, removeTold, type ToldFile } from './change-told.js';
import { type CardContent, editCard, newCard } from './edit-card.js';
import { withFolderLock } from './folder-lock.js';
import { followFolder, followSkills } from './follow-folder.js';
import { followMaterial } from './follow-material.js';
import { folderNumbering, materialPath, readCards, readMaterial, settingFiles } from './material.js';
import { claimFolder, claimState, prepareFolder } from './project-folder.js';
import { constraintList, episodeList, memoryList } from './told-lists.js';
import { changeFile } from './write-within.js';

/** The store that a project should be changed through. A folder whose store was lost is read again first. */
export async function storeOfProject(
  store: Store,
  project: string,
  { folder, now }: { readonly folder: string; readonly now: () => number },
): Promise<Store> {
  const state = await claimState(store, project, folder);
  if (state === 'none') return store;
  if (state === 'forgotten')
    await quietly(async () => {
      await claimFolder(store, project, folder);
      await followFolder(store, project, folder);
    });
  return folderStore({ store, project, folder, now });
}

/** Before anything is listed: what stands in the files now. */
export async function storeToRead(
  store: Store,
  project: string,
  place: { readonly folder: string; readonly now: () => number },
): Promise<Store> {
  const own = await storeOfProject(store, project, place);
  if (own === store) return store;
  await quietly(async () => {
    await followMaterial(store, project, await readMaterial(place.folder));
  });
  return own;
}

/** A store that is behind its folder still has its uses; whoever changes something is told. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isGalleyError(error)) throw error;
  }
}

/** Files changed one process at a time, then the store brought abreast of them. A row may be called otherwise by then. */
async function change<T>(
  { store, project, folder }: Pick<Owned, 'store' | 'project' | 'folder'>,
  work: (now: (id: string) => string, carried: CarriedOver) => Promise<T>,
): Promise<T> {
  return withFolderLock(folder, async () => {
    await prepareFolder(folder, project);
    const carried = await carryOver(store, project, folder);
    const done = await work((id) => carried.ids.get(id) ?? id, carried);
    await followMaterial(store, project, await readMaterial(folder));
    await followSkills(store, project, folder);
    return done;
  });
}

/** What only the store knew is in the files from here on. */
export function carryOverProject(store: Store, project: string, folder: string): Promise<CarriedOver> {
  return change({ store, project, folder }, async (_now, carried) => carried);
}

interface Owned {
  readonly store: Store;
  readonly project: string;
  readonly folder: string;
  now(): number;
}

function folderStore(owned: Owned): Store {
  return {
    ...owned.store,
    constraints: ownConstraints(owned),
    memory: ownMemory(owned),
    summaries: ownSummaries(owned),
    entities: ownEntities(owned),
    settings: ownSettings(owned),
    skills: ownSkills(owned),
  };
}

function ownConstraints(owned: Owned): Store['constraints'] {
  const { store, project, folder } = owned;
  const file: ToldFile<Constraint> = { list: constraintList, kind: 'constraint', folder };
  const isOwn = (asked: string) => asked === project;
  return {
    ...store.constraints,
    async create(asked, draft) {
      if (!isOwn(asked)) return store.constraints.create(asked, draft);
      const { id, origin = 'user', priority = 0, pinned = false, ...rest } = draft;
      const made = await change(owned, async () => {
        checkRoom((await readMaterial(folder)).constraints.length);
        return addTold(file, { ...rest, origin, priority, pinned, version: 1 }, id);
      });
      return store.constraints.get(project, made);
    },
    async update(asked, id, fields) {
      if (!isOwn(asked)) return store.constraints.update(asked, id, fields);
      const changed = await change(owned, (now) =>
        changeTold(file, now(id), (row) => ({ ...row, ...fields })),
      );
      return store.constraints.get(project, changed);
    },
    async delete(asked, id) {
      if (!isOwn(asked)) return store.constraints.delete(asked, id);
      await change(owned, (now) => removeTold(file, now(id)));
    },
  };
}

function ownMemory(owned: Owned): Store['memory'] {
  const { store, project, folder } = owned;
  const file: ToldFile<MemoryItem> = { list: memoryList, kind: 'memory', folder };
  type Draft = Parameters<Store['memory']['put']>[1];
  const add = (draft: Draft, origin: MemoryItem['origin']) => {
    const { id, kind, text, confidence = origin === 'caller' ? 1 : 0.5 } = draft;
    const row = { kind, text, confidence, origin, confirmed: origin === 'caller', createdAt: 0 };
    return addTold(file, row, id);
  };
  const known = async ({ id, kind, text }: Draft) =>
    (await readMaterial(folder)).memory.find((item) =>
      id === undefined
        ? item.kind === kind && item.text === text.trim()
        : item.id === id || item.id.endsWith(`#${id}`),
    );
  return {
    ...store.memory,
    async put(asked, draft) {
      if (asked !== project) return store.memory.put(asked, draft);
      const id = await change(owned, async (now) => {
        const found = await known(draft.id === undefined ? draft : { ...draft, id: now(draft.id) });
        if (found === undefined) return add(draft, 'caller');
        const { kind, text, confidence = 1 } = draft;
        return changeTold(file, found.id, (row) => ({ ...row, kind, text, confidence, confirmed: true }));
      });
      return store.memory.get(project, id);
    },
    async learn(asked, draft) {
      if (asked !== project) return store.memory.learn(asked, draft);
      return store.memory.get(project, await change(owned, () => add(draft, 'learned')));
    },
    async confirm(asked, id) {
      if (asked !== project) return store.memory.confirm(asked, id);
      const changed = await change(owned, (now) =>
        changeTold(file, now(id), (row) => ({ ...row, confirmed: true })),
      );
      return store.memory.get(project, changed);
    },
    async delete(asked, id) {
      if (asked !== project) return store.memory.delete(asked, id);
      await change(owned, (now) => removeTold(file, now(id)));
    },
  };
}

function ownSummaries(owned: Owned): Store['summaries'] {
  const { store, project, folder } = owned;
  const file = { list: episodeList, kind: 'summary', folder };
  return {
    ...store.summaries,
    async add(asked, whole) {
      if (asked !== project) return store.summaries.add(asked, whole);
      const { id, createdAt = owned.now(), ...draft } = whole;
      const made = await change(owned, () => addTold(file, { ...draft, createdAt }, id));
      return { ...draft, id: made, createdAt };
    },
    async delete(asked, id) {
      if (asked !== project) return store.summaries.delete(asked, id);
      await change(owned, (now) => removeTold(file, now(id)));
    },
  };
}

function ownEntities(owned: Owned): Store['entities'] {
  const { store, project, folder } = owned;
  const put = async (draft: EntityDraft, now: (id: string) => string) => {
    const named = await findNamed(folder, draft.name);
    const found = draft.id === undefined ? named : await findCard(folder, now(draft.id));
    if (named !== undefined && draft.id !== undefined && found?.id !== named.id)
      throw alreadyExists('entity', 'name');
    const content = contentOf(draft);
    const path =
      found?.id ??
      (await newCardPath(folder, { name: draft.id ?? draft.name, kind: content.kind || cardKind }));
    const place = { path, numbering: await folderNumbering(folder) };
    await changeFile(folder, path, (text) =>
      text === undefined ? newCard(content, place) : editCard(text, content, place),
    );
    return path;
  };
  return {
    ...store.entities,
    async get(asked, id) {
      const path = asked === project ? (await findCard(folder, id))?.id : undefined;
      return store.entities.get(asked, path ?? id);
    },
    async put(asked, draft) {
      if (asked !== project) return store.entities.put(asked, draft);
      return store.entities.get(project, await change(owned, (now) => put(draft, now)));
    },
    async delete(asked, id) {
      if (asked !== project) return store.entities.delete(asked, id);
      await change(owned, async (now) => {
        const card = await findCard(folder, now(id));
        if (card === undefined) throw notFound('entity');
        await changeFile(folder, card.id, () => undefined);
      });
    },
  };
}

async function findNamed(folder: string, name: string) {
  return (await readCards(folder)).find((card) => card.name === name.trim());
}

function contentOf(draft: EntityDraft): CardContent {
  const { name, description, aliases = [], kind = '', inclusion = 'always' } = draft;
  const { neverTrimmed = false, facts = [], secrets = [], relations = [] } = draft;
  return { name, description, aliases, kind, inclusion, neverTrimmed, facts, secrets, relations };
}

/** Texts of other names are no files. */
function ownSettings(owned: Owned): Store['settings'] {
  const { store, project, folder } = owned;
  const nameOf = (asked: string, key: string) =>
    asked === project ? settingFiles.find(([each]) => each === key)?.[1] : undefined;
  return {
    ...store.settings,
    async put(asked, key, text) {
      const name = nameOf(asked, key);
      if (name === undefined) return store.settings.put(asked, key, text);
      const path = await materialPath(folder, name);
      await change(owned, () =>
        changeFile(folder, path, (known) => (plain(known) === plain(text) ? known : text)),
      );
      return { key, text, updatedAt: owned.now() };
    },
    async delete(asked, key) {
      const name = nameOf(asked, key);
      if (name === undefined) return store.settings.delete(asked, key);
      const path = await materialPath(folder, name);
      await change(owned, () => changeFile(folder, path, () => undefined));
    },
  };
}

function plain(text: string | undefined): string | undefined {
  return text?.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
}

function ownSkills(owned: Owned): Store['skills'] {
  const { store, project, folder } = owned;
  const pathOf = async (id: string) =>
    (await loadSkillFolder(folder)).skills.find((skill) => skill.id === id)?.path;
  return {
    ...store.skills,
    async put(skill) {
      if (skill.projectId !== project) return store.skills.put(skill);
      const path = (await pathOf(skill.id)) ?? `.galley/skills/${skill.id}/SKILL.md`;
      await change(owned, () =>
        changeFile(folder, path, (known) => (plain(known) === plain(skill.source) ? known : skill.source)),
      );
      return store.skills.get(skill.id, project);
    },
    async delete(id, asked) {
      const path = asked === project ? await pathOf(id) : undefined;
      if (path === undefined) return store.skills.delete(id, asked);
      await change(owned, () => changeFile(folder, path, () => undefined));
    },
  };
}
