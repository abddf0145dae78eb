// Keeps the store abreast of a folder that is the truth: chapters become documents, what was told or accepted becomes rows. By
// content hash only what changed is written, and what is gone is forgotten.

import type { Warning } from '../../core/model/error.js';
import { isGalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import { loadSkillFolder } from '../../skills/load-skill-folder.js';
import { contextRulesJson } from '../../skills/skill.js';
import { maxSkillBytes, readSkillText } from '../../skills/skill-limits.js';
import type { Store } from '../../store/store.js';
import type { Project } from '../../store/tables/projects.js';
import { indexDocument } from '../retrieval/follow-documents.js';
import { carryRename, type Rename, renamesIn } from './carry-rename.js';
import { readChapters } from './chapter-files.js';
import { followedSettings, followMaterial } from './follow-material.js';
import { fileWarning, readMaterial } from './material.js';
import { ownsFolder } from './project-folder.js';
import { readWithin } from './read-within.js';

export interface FollowedFolder {
  readonly chapters: number;
  /** Read anew because their text changed. */
  readonly changed: readonly string[];
  readonly forgotten: readonly string[];
  /** Chapters that have another name since; what stands about them went with them. */
  readonly renamed: readonly Rename[];
  readonly constraints: number;
  readonly entities: number;
  readonly warnings: readonly Warning[];
}

export async function followFolder(store: Store, project: string, folder: string): Promise<FollowedFolder> {
  const { chapters, unreadable } = await readChapters(folder);
  const known = new Map((await store.documents.list(project)).map((entry) => [entry.id, entry]));
  const present = new Set(chapters.map(({ path }) => path));
  const kept = new Set(unreadable.map(({ details }) => String(details?.path ?? '')));
  const gone = (await followedBefore(store, project)).filter(
    (id) => !present.has(id) && !kept.has(id) && known.has(id),
  );
  const renamed = renamesIn(
    gone.flatMap((id) => known.get(id) ?? []),
    chapters.filter(({ path }) => !known.has(path)),
  );
  for (const rename of renamed) await carryRename(folder, rename);
  const material = await readMaterial(folder);
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
  // Documents that never were files stay; a file that cannot be read just now keeps its last text.
  for (const id of gone) await store.documents.delete(project, id);
  await rememberFollowed(store, project, [...present, ...[...kept].filter((id) => known.has(id))]);
  const clashes = await followMaterial(store, project, material);
  await followSkills(store, project, folder);
  return {
    chapters: chapters.length,
    changed,
    forgotten: gone,
    renamed,
    constraints: material.constraints.length,
    entities: material.entities.length,
    warnings: [
      ...renamed.map(renameWarning),
      ...unreadable.map(({ message, details }) => fileWarning(String(details?.path ?? ''), message)),
      ...material.warnings,
      ...clashes,
    ],
  };
}

function renameWarning({ from, to }: Rename): Warning {
  const message = `CHAPTER_RENAMED: ${to} is ${from} under another name; its scene card, summary, drafts and history went with it.`;
  return { code: 'CHAPTER_RENAMED', message, details: { path: to } };
}

const followedDocuments = 'followed';

async function followedBefore(store: Store, project: string): Promise<readonly string[]> {
  return listIn(await store.projects.get(project), followedDocuments);
}

function listIn({ settings }: Pick<Project, 'settings'>, name: string): readonly string[] {
  const found = settings[name];
  return Array.isArray(found) ? found.map(String) : [];
}

/** What of settings and skills was made from files. */
export async function followedIn(
  store: Store,
  project: string,
): Promise<{ settings: readonly string[]; skills: readonly string[] }> {
  const known = await store.projects.get(project);
  return { settings: listIn(known, followedSettings), skills: listIn(known, followedSkills) };
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

// Skill files of a folder as rows of the store, so that every assembly finds them by id. A row goes with its file.
const followedSkills = 'followedSkills';

/** Files that are no skill are left to whoever lists skills; here they are not there. */
export async function followSkills(store: Store, project: string, folder: string): Promise<void> {
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
