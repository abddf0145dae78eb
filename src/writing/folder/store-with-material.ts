// A store as a folder's owner sees it: files of the folder stand in for the rows that were once made from them, so what is read
// is what the files say now.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Store } from '../../store/store.js';
import { noteKey } from '../notes/book-notes.js';
import { isMaterialId, type Material } from './material.js';

export function storeWithMaterial(store: Store, project: string, material: Material): Store {
  const own = <Row>(asked: string, rows: readonly Row[], merge: (rows: readonly Row[]) => readonly Row[]) =>
    asked === project ? merge(rows) : rows;
  const fromFiles = new Set(material.entities.map(({ name }) => name));
  const said = (kind: string, text: string) => JSON.stringify([kind, text.trim()]);
  const rules = new Set(material.constraints.map(({ kind, text }) => said(kind, text)));
  const memories = new Set(material.memory.map(({ kind, text }) => said(kind, text)));
  const runs = new Set(material.episodes.map(({ runId }) => runId));
  const named = [
    ...material.settings,
    ...material.notes.map(({ kind, about, text }) => ({ key: noteKey(kind, about), text })),
  ];
  const keys = new Set<string>(named.map(({ key }) => key));
  return {
    ...store,
    constraints: {
      ...store.constraints,
      list: async (asked) =>
        own(asked, await store.constraints.list(asked), (rows) => [
          ...rows.filter(({ id, kind, text }) => !isMaterialId(id) && !rules.has(said(kind, text))),
          ...material.constraints,
        ]),
    },
    entities: {
      ...store.entities,
      list: async (asked) =>
        own(asked, await store.entities.list(asked), (rows) =>
          [
            ...rows.filter(({ id, name }) => !isMaterialId(id) && !fromFiles.has(name)),
            ...material.entities,
          ].sort((left, right) => byCodePoint(left.name, right.name)),
        ),
    },
    memory: {
      ...store.memory,
      list: async (asked, filter = {}) =>
        own(asked, await store.memory.list(asked, filter), (rows) => [
          ...rows.filter(({ id, kind, text }) => !isMaterialId(id) && !memories.has(said(kind, text))),
          ...material.memory.filter((item) =>
            Object.entries(filter).every(([key, value]) => item[key as keyof typeof filter] === value),
          ),
        ]),
    },
    summaries: {
      ...store.summaries,
      recent: async (asked, limit, documentId) =>
        own(asked, await store.summaries.recent(asked, limit, documentId), (rows) =>
          [
            ...material.episodes
              .filter((each) => documentId === undefined || each.documentId === documentId)
              .reverse(),
            ...rows.filter(({ id, runId }) => !isMaterialId(id) && !(runId !== undefined && runs.has(runId))),
          ].slice(0, limit),
        ),
    },
    settings: {
      ...store.settings,
      list: async (asked) =>
        own(asked, await store.settings.list(asked), (rows) =>
          [
            ...rows.filter(({ key }) => !keys.has(key)),
            ...named.map(({ key, text }) => ({ key, text, updatedAt: 0 })),
          ].sort((left, right) => byCodePoint(left.key, right.key)),
        ),
    },
  };
}
