// A store as a folder's owner sees it: files of the folder stand in for the rows that were once made from them, so what is read
// is what the files say now.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Store } from '../../store/store.js';
import { isMaterialId, type Material } from './material.js';

export function storeWithMaterial(store: Store, project: string, material: Material): Store {
  const own = <Row>(asked: string, rows: readonly Row[], merge: (rows: readonly Row[]) => readonly Row[]) =>
    asked === project ? merge(rows) : rows;
  const fromFiles = new Set(material.entities.map(({ name }) => name));
  const rules = new Set(material.constraints.map(({ kind, text }) => JSON.stringify([kind, text])));
  const keys = new Set<string>(material.settings.map(({ key }) => key));
  return {
    ...store,
    constraints: {
      ...store.constraints,
      list: async (asked) =>
        own(asked, await store.constraints.list(asked), (rows) => [
          ...rows.filter(
            ({ id, kind, text }) => !isMaterialId(id) && !rules.has(JSON.stringify([kind, text])),
          ),
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
    settings: {
      ...store.settings,
      list: async (asked) =>
        own(asked, await store.settings.list(asked), (rows) =>
          [
            ...rows.filter(({ key }) => !keys.has(key)),
            ...material.settings.map(({ key, text }) => ({ key, text, updatedAt: 0 })),
          ].sort((left, right) => byCodePoint(left.key, right.key)),
        ),
    },
  };
}
