// Keeps the store abreast of a folder that is the truth: chapters become documents, files of `.galley` become constraints,
// entities and settings. By content hash only what changed is written, and what is gone is forgotten.

import type { Warning } from '../../core/model/error.js';
import { isGalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import { loadSkillFolder } from '../../skills/load-skill-folder.js';
import { contextRulesJson } from '../../skills/skill.js';
import { maxSkillBytes, readSkillText } from '../../skills/skill-limits.js';
import type { Store } from '../../store/store.js';
import type { Constraint } from '../../store/tables/constraints.js';
import { indexDocument } from '../retrieval/follow-documents.js';
import { readChapters } from './chapter-files.js';
import { fileWarning, isMaterialId, type Material, readMaterial, type SettingKey } from './material.js';
import { ownsFolder } from './project-folder.js';
import { readWithin } from './read-within.js';

export interface FollowedFolder {
  readonly chapters: number;
  /** Read anew because their text changed. */
  readonly changed: readonly string[];
  readonly forgotten: readonly string[];
  readonly constraints: number;
  readonly entities: number;
  readonly warnings: readonly Warning[];
}

export async function followFolder(store: Store, project: string, folder: string): Promise<FollowedFolder> {
  const [{ chapters, unreadable }, material] = await Promise.all([
    readChapters(folder),
    readMaterial(folder),
  ]);
  const known = new Map((await store.documents.list(project)).map((entry) => [entry.id, entry]));
  const changed: string[] = [];
  for (const { path, title, order, text } of chapters) {
    const entry = known.get(path);
    const sameText = entry?.contentHash === hashText(text);
    if (sameText && entry.title === title && entry.order === order) continue;
    const stored = await store.documents.put(project, { id: path, title, order, text });
    // A new first chapter moves all the others; their passages stay as they are.
    if (sameText) continue;
    await indexDocument(store, project, stored);
    changed.push(path);
  }
  const present = new Set(chapters.map(({ path }) => path));
  const kept = new Set(unreadable.map(({ details }) => String(details?.path ?? '')));
  const forgotten: string[] = [];
  // Documents that never were files stay; a file that cannot be read just now keeps its last text.
  for (const id of await followedBefore(store, project)) {
    if (present.has(id) || kept.has(id) || !known.has(id)) continue;
    await store.documents.delete(project, id);
    forgotten.push(id);
  }
  await rememberFollowed(store, project, [...present, ...[...kept].filter((id) => known.has(id))]);
  const clashes = await followMaterial(store, project, material);
  await followSkills(store, project, folder);
  return {
    chapters: chapters.length,
    changed,
    forgotten,
    constraints: material.constraints.length,
    entities: material.entities.length,
    warnings: [
      ...unreadable.map(({ message, details }) => fileWarning(String(details?.path ?? ''), message)),
      ...material.warnings,
      ...clashes,
    ],
  };
}

const followedDocuments = 'followed';

async function followedBefore(store: Store, project: string): Promise<readonly string[]> {
  const found = (await store.projects.get(project)).settings[followedDocuments];
  return Array.isArray(found) ? found.map(String) : [];
}

async function rememberFollowed(store: Store, project: string, ids: readonly string[]): Promise<void> {
  const { settings } = await store.projects.get(project);
  if (JSON.stringify(settings[followedDocuments]) === JSON.stringify(ids)) return;
  await store.projects.put(project, { settings: { ...settings, [followedDocuments]: ids } });
}

/** Before a run: a folder the project has claimed is followed, and a store that cannot be written costs a warning. */
export async function followOwnFolder(
  store: Store,
  project: string,
  folder: string,
): Promise<readonly Warning[]> {
  try {
    if (!(await ownsFolder(store, project, folder))) return [];
    return (await followFolder(store, project, folder)).warnings;
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return [
      { code: 'FOLDER_STALE', message: `FOLDER_STALE: the store may be behind the folder: ${error.message}` },
    ];
  }
}

// Files of `.galley` as rows of the store, so that everything that reads the store sees them. Rows whose file is gone go too.
const settingKeys: readonly SettingKey[] = ['style_guide', 'outline', 'user_preferences'];

/** Cards that could not be stored because another row has the name are named. */
async function followMaterial(store: Store, project: string, material: Material): Promise<Warning[]> {
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

// Skill files of a folder as rows of the store, so that every assembly finds them by id. A row goes with its file.
const followedSkills = 'followedSkills';

/** Files that are no skill are left to whoever lists skills; here they are not there. */
async function followSkills(store: Store, project: string, folder: string): Promise<void> {
  const { skills } = await loadSkillFolder(folder);
  const rows = (await store.skills.list(project)).filter(({ projectId }) => projectId === project);
  const known = new Map(rows.map((row) => [row.id, row]));
  const present: string[] = [];
  for (const { id, name, description, contextRules, path } of skills) {
    const source = path === undefined ? undefined : await sourceOf(folder, path);
    if (source === undefined) continue;
    present.push(id);
    if (known.get(id)?.source === source) continue;
    const rules = contextRulesJson(contextRules);
    await store.skills.put({ id, name, description, source, contextRules: rules, projectId: project });
  }
  const { settings } = await store.projects.get(project);
  const before = Array.isArray(settings[followedSkills]) ? settings[followedSkills].map(String) : [];
  for (const id of before) {
    if (!present.includes(id) && known.has(id)) await store.skills.delete(id, project);
  }
  if (JSON.stringify(before) !== JSON.stringify(present)) {
    await store.projects.put(project, { settings: { ...settings, [followedSkills]: present } });
  }
}

async function sourceOf(folder: string, path: string): Promise<string | undefined> {
  try {
    return readSkillText(await readWithin(folder, path, { mostBytes: maxSkillBytes })).text;
  } catch (error) {
    if (isGalleyError(error)) return undefined;
    throw error;
  }
}
