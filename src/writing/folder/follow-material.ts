// Files of a folder as rows of the store, so that everything that reads the store sees them: the same rows in the same order as a
// new store would have. Rows whose file is gone go too; rows that never were files stay until they are carried over.
import type { Warning } from '../../core/model/error.js';
import { type ErrorCode, isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { constraintLimit } from '../../store/tables/constraints.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import { fileWarning, isMaterialId, type Material, settingFiles } from './material.js';

/** Cards that could not be stored because another row has the name are named. */
export async function followMaterial(store: Store, project: string, material: Material): Promise<Warning[]> {
  const warnings: Warning[] = [];
  if (material.constraints.length > constraintLimit)
    warnings.push(
      fileWarning(
        '.galley/constraints.md',
        `The list holds more than ${constraintLimit} constraints; only the first are kept.`,
      ),
    );
  await followConstraints(store, project, material.constraints.slice(0, constraintLimit));
  await followMemory(store, project, material);
  await followEpisodes(store, project, material);
  await followSettings(store, project, material);
  await followBudget(store, project, material);
  return [...warnings, ...(await followEntities(store, project, material))];
}

interface Table<Row> {
  /** What a row says, beside its id. */
  said(row: Row): unknown;
  add(row: Row): Promise<unknown>;
  remove(id: string): Promise<unknown>;
}

/** Rows that stand where they should stay; from the first that does not on, they are made anew. */
async function followRows<Row extends { readonly id: string }>(
  stored: readonly Row[],
  wanted: readonly Row[],
  table: Table<Row>,
): Promise<void> {
  const known = stored.filter(({ id }) => isMaterialId(id));
  const ids = new Set(wanted.map(({ id }) => id));
  const staying = known.filter(({ id }) => ids.has(id));
  const isSame = (row: Row | undefined, other: Row | undefined) =>
    row?.id === other?.id &&
    JSON.stringify(row && table.said(row)) === JSON.stringify(other && table.said(other));
  let same = 0;
  while (same < wanted.length && isSame(staying[same], wanted[same])) same += 1;
  const stays = new Set(staying.slice(0, same));
  // Another process may be following the same folder.
  for (const row of known) if (!stays.has(row)) await unless('NOT_FOUND', table.remove(row.id));
  for (const row of wanted.slice(same)) await unless('ALREADY_EXISTS', table.add(row));
}

async function unless(code: ErrorCode, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isGalleyError(error) || error.code !== code) throw error;
  }
}

async function followConstraints(
  store: Store,
  project: string,
  constraints: Material['constraints'],
): Promise<void> {
  await followRows(await store.constraints.list(project), constraints, {
    said: ({ kind, origin, priority, pinned, text }) => [kind, origin, priority, pinned, text],
    add: ({ id, kind, origin, priority, pinned, text }) =>
      store.constraints.create(project, { id, kind, origin, priority, pinned, text }),
    remove: (id) => store.constraints.delete(project, id),
  });
}

async function followMemory(store: Store, project: string, { memory }: Material): Promise<void> {
  const add = async ({ id, kind, text, confidence, origin, confirmed }: MemoryItem) => {
    const draft = { id, kind, text, confidence };
    if (origin === 'caller') return store.memory.put(project, draft);
    await store.memory.learn(project, draft);
    if (confirmed) await store.memory.confirm(project, id);
  };
  await followRows(await store.memory.list(project), memory, {
    said: ({ kind, text, confidence, origin, confirmed }) => [kind, text, confidence, origin, confirmed],
    add,
    remove: (id) => store.memory.delete(project, id),
  });
}

async function followEpisodes(store: Store, project: string, { episodes }: Material): Promise<void> {
  const newestFirst = await store.summaries.recent(project, Number.MAX_SAFE_INTEGER);
  await followRows([...newestFirst].reverse(), episodes, {
    said: ({ text, createdAt, runId, skillId, documentId }) => [text, createdAt, runId, skillId, documentId],
    add: (episode) => store.summaries.add(project, episode),
    remove: (id) => store.summaries.delete(project, id),
  });
}

export const followedSettings = 'followedSettings';

/** A text that never was a file stays; one whose file is gone goes. */
async function followSettings(store: Store, project: string, { settings }: Material): Promise<void> {
  const files = new Map(settings.map(({ key, text }) => [key as string, text]));
  const rows = await store.settings.list(project);
  const { settings: facts } = await store.projects.get(project);
  const before = Array.isArray(facts[followedSettings]) ? facts[followedSettings].map(String) : [];
  for (const [key] of settingFiles) {
    const text = files.get(key);
    const known = rows.find((row) => row.key === key)?.text;
    if (text !== undefined && text !== known) await store.settings.put(project, key, text);
    else if (text === undefined && known !== undefined && before.includes(key))
      await unless('NOT_FOUND', store.settings.delete(project, key));
  }
  const present = [...files.keys()];
  if (JSON.stringify(before) !== JSON.stringify(present))
    await store.projects.put(project, { settings: { ...facts, [followedSettings]: present } });
}

async function followBudget(store: Store, project: string, { budget }: Material): Promise<void> {
  const { version, value } = await store.budgets.get(project);
  if (budget === undefined || JSON.stringify(budget) === JSON.stringify(value)) return;
  await unless('CONTEXT_BUDGET_CONFLICT', store.budgets.update(project, version, budget));
}

async function followEntities(store: Store, project: string, { entities }: Material): Promise<Warning[]> {
  const rows = (await store.entities.list(project)).filter(({ id }) => isMaterialId(id));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set(entities.map(({ id }) => id));
  for (const { id } of rows) if (!ids.has(id)) await unless('NOT_FOUND', store.entities.delete(project, id));
  const warnings: Warning[] = [];
  for (const { version: _version, updatedAt: _updatedAt, ...card } of entities) {
    const known = byId.get(card.id);
    if (known !== undefined && sameCard(known, card)) continue;
    try {
      // The name of a card may have moved to another.
      if (known !== undefined && known.name !== card.name) await store.entities.delete(project, card.id);
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
