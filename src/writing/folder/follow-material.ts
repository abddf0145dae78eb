// Files of `.galley` as rows of the store, so that everything that reads the store sees them. Rows whose file is gone go too.
import { isGalleyError, type Warning } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import type { Constraint } from '../../store/tables/constraints.js';
import { fileWarning, isMaterialId, type Material, type SettingKey } from './material.js';

const settingKeys: readonly SettingKey[] = ['style_guide', 'outline', 'user_preferences'];

/** Cards that could not be stored because another row has the name are named. */
export async function followMaterial(store: Store, project: string, material: Material): Promise<Warning[]> {
  await followConstraints(store, project, material.constraints);
  await followSettings(store, project, material);
  return followEntities(store, project, material);
}

async function followConstraints(
  store: Store,
  project: string,
  wanted: readonly Constraint[],
): Promise<void> {
  const rows = (await store.constraints.list(project)).filter(({ id }) => isMaterialId(id));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set(wanted.map(({ id }) => id));
  for (const { id } of rows) if (!ids.has(id)) await store.constraints.delete(project, id);
  for (const { version: _version, ...row } of wanted) {
    const { id, ...fields } = row;
    const known = byId.get(id);
    if (known === undefined) await store.constraints.create(project, row);
    else if (known.text !== row.text || known.kind !== row.kind || known.pinned !== row.pinned)
      await store.constraints.update(project, id, fields);
  }
}

async function followSettings(store: Store, project: string, { settings }: Material): Promise<void> {
  const files = new Map(settings.map(({ key, text }) => [key as string, text]));
  const rows = await store.settings.list(project);
  for (const key of settingKeys) {
    const text = files.get(key);
    const known = rows.find((row) => row.key === key)?.text;
    if (text !== undefined && text !== known) await store.settings.put(project, key, text);
    else if (text === undefined && known !== undefined) await store.settings.delete(project, key);
  }
}

async function followEntities(store: Store, project: string, { entities }: Material): Promise<Warning[]> {
  const rows = (await store.entities.list(project)).filter(({ id }) => isMaterialId(id));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set(entities.map(({ id }) => id));
  for (const { id } of rows) if (!ids.has(id)) await store.entities.delete(project, id);
  const warnings: Warning[] = [];
  for (const { version: _version, updatedAt: _updatedAt, ...card } of entities) {
    const known = byId.get(card.id);
    if (known !== undefined && sameCard(known, card)) continue;
    try {
      await store.entities.put(project, card);
    } catch (error) {
      if (!isGalleyError(error) || error.code !== 'ALREADY_EXISTS') throw error;
      warnings.push(
        fileWarning(
          card.id,
          `${card.id} was not stored: an entity of that name exists already; delete one of the two.`,
        ),
      );
    }
  }
  return warnings;
}

function sameCard(known: object, card: object): boolean {
  const fields = Object.entries(card);
  return fields.every(
    ([key, value]) => JSON.stringify((known as Record<string, unknown>)[key]) === JSON.stringify(value),
  );
}
