// Whose folder is this? A folder that a project has claimed is read for that project only; an unclaimed one for whoever works in it.
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import type { Project } from '../../store/tables/projects.js';

const field = 'folderMark';

/** Names the folder without telling where it is. */
async function folderMark(folder: string): Promise<string> {
  return hashText(await realpath(folder).catch(() => folder)).slice(0, 16);
}

/** The mark of the folder that a project has claimed. */
function claimOf({ settings }: Pick<Project, 'settings'>): string | undefined {
  const mark = settings[field];
  return typeof mark === 'string' ? mark : undefined;
}

/** The folder if the project may read it. */
export async function projectFolder(
  store: Store,
  project: string,
  folder: string,
): Promise<string | undefined> {
  const mark = await folderMark(folder);
  const claimed = (await store.projects.list()).filter((project) => claimOf(project) === mark);
  return claimed.length === 0 || claimed.some(({ id }) => id === project) ? folder : undefined;
}

export async function ownsFolder(store: Store, project: string, folder: string): Promise<boolean> {
  return claimOf(await store.projects.get(project)) === (await folderMark(folder));
}

export async function claimFolder(store: Store, project: string, folder: string): Promise<void> {
  if (await ownsFolder(store, project, folder)) return;
  const { settings } = await store.projects.get(project);
  await store.projects.put(project, {
    folder: '.',
    settings: { ...settings, [field]: await folderMark(folder) },
  });
}

// Which project is a folder, when nobody says? The one that has claimed it; the only one of a store that lies within it, for a
// folder that was renamed, moved or copied; else the one of its name.
export interface StorePlace {
  /** The store lies in the folder and goes where it goes. */
  readonly isInside: boolean;
}

export function nameOfFolder(folder: string): string {
  return basename(folder) || 'project';
}

export async function projectOfFolder(
  store: Store,
  folder: string,
  { isInside }: StorePlace,
): Promise<string> {
  const name = nameOfFolder(folder);
  const claims = (await store.projects.list()).filter((project) => claimOf(project) !== undefined);
  const mark = await folderMark(folder);
  const here = claims.filter((project) => claimOf(project) === mark);
  if (here.length > 0) return here.some(({ id }) => id === name) ? name : (here[0]?.id ?? name);
  const [only, ...others] = isInside ? claims : [];
  return only !== undefined && others.length === 0 ? only.id : name;
}
