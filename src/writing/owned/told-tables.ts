// Constraints, memory and accepted episodes of an owned folder: each change is one item of a list.
import type { Store } from '../../store/store.js';
import { type Constraint, checkRoom } from '../../store/tables/constraints.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import { readMaterial } from '../folder/material.js';
import { constraintList, episodeList, memoryList } from '../told/told-lists.js';
import { changeFolder, type Owned, readBack } from './change-folder.js';
import { addTold, changeTold, removeTold, type ToldFile } from './change-told.js';

export function ownConstraints(owned: Owned): Store['constraints'] {
  const { store, project, folder } = owned;
  const file: ToldFile<Constraint> = { list: constraintList, kind: 'constraint', folder };
  const isOwn = (asked: string) => asked === project;
  return {
    ...store.constraints,
    async create(asked, draft) {
      if (!isOwn(asked)) return store.constraints.create(asked, draft);
      const { id, origin = 'user', priority = 0, pinned = false, ...rest } = draft;
      const made = await changeFolder(owned, async () => {
        checkRoom((await readMaterial(folder)).constraints.length);
        return addTold(file, { ...rest, origin, priority, pinned, version: 1 }, id);
      });
      return readBack(owned, () => store.constraints.get(project, made));
    },
    async update(asked, id, fields) {
      if (!isOwn(asked)) return store.constraints.update(asked, id, fields);
      const changed = await changeFolder(owned, (now) =>
        changeTold(file, now(id), (row) => ({ ...row, ...fields })),
      );
      return readBack(owned, () => store.constraints.get(project, changed));
    },
    async delete(asked, id) {
      if (!isOwn(asked)) return store.constraints.delete(asked, id);
      await changeFolder(owned, (now) => removeTold(file, now(id)));
    },
  };
}

export function ownMemory(owned: Owned): Store['memory'] {
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
      const id = await changeFolder(owned, async (now) => {
        const found = await known(draft.id === undefined ? draft : { ...draft, id: now(draft.id) });
        if (found === undefined) return add(draft, 'caller');
        const { kind, text, confidence = 1 } = draft;
        return changeTold(file, found.id, (row) => ({ ...row, kind, text, confidence, confirmed: true }));
      });
      return readBack(owned, () => store.memory.get(project, id));
    },
    async learn(asked, draft) {
      if (asked !== project) return store.memory.learn(asked, draft);
      const learned = await changeFolder(owned, () => add(draft, 'learned'));
      return readBack(owned, () => store.memory.get(project, learned));
    },
    async confirm(asked, id) {
      if (asked !== project) return store.memory.confirm(asked, id);
      const changed = await changeFolder(owned, (now) =>
        changeTold(file, now(id), (row) => ({ ...row, confirmed: true })),
      );
      return readBack(owned, () => store.memory.get(project, changed));
    },
    async delete(asked, id) {
      if (asked !== project) return store.memory.delete(asked, id);
      await changeFolder(owned, (now) => removeTold(file, now(id)));
    },
  };
}

export function ownSummaries(owned: Owned): Store['summaries'] {
  const { store, project, folder } = owned;
  const file = { list: episodeList, kind: 'summary', folder };
  return {
    ...store.summaries,
    async add(asked, whole) {
      if (asked !== project) return store.summaries.add(asked, whole);
      const { id, createdAt = owned.now(), ...draft } = whole;
      const made = await changeFolder(owned, () => addTold(file, { ...draft, createdAt }, id));
      return { ...draft, id: made, createdAt };
    },
    async delete(asked, id) {
      if (asked !== project) return store.summaries.delete(asked, id);
      await changeFolder(owned, (now) => removeTold(file, now(id)));
    },
  };
}
