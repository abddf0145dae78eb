// Which project is a folder, when nobody says? The one that has claimed it; the only one of a store that lies within it, for a
// folder that was renamed, moved or copied; else the one of its name.
import { basename } from 'node:path';
import type { Store } from '../../store/store.js';
import { claimOf, folderMark } from './project-folder.js';

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
