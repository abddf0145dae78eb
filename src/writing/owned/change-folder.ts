// One change of a project's files: alone among all processes, with what only the store knew carried over first, and the store
// brought abreast afterwards.
import { isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { withFolderLock } from '../folder/folder-lock.js';
import { followSkills } from '../folder/follow-folder.js';
import { followMaterial } from '../folder/follow-material.js';
import { readMaterial } from '../folder/material.js';
import { prepareFolder } from '../folder/project-folder.js';
import { type CarriedOver, carryOver } from './carry-over.js';

/** Files changed one process at a time, then the store brought abreast of them. A row may be called otherwise by then. */
export async function changeFolder<T>(
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

const mostLooks = 5;

/**
 * A row that was just made from a file. Somebody whose look at the folder is older may take it out of the store once more before the
 * next look brings it back: then the files are followed again.
 */
export async function readBack<T>(
  { store, project, folder }: Pick<Owned, 'store' | 'project' | 'folder'>,
  read: () => Promise<T>,
): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await read();
    } catch (error) {
      if (looks >= mostLooks || !isGalleyError(error) || error.code !== 'NOT_FOUND') throw error;
      await withFolderLock(folder, async () => followMaterial(store, project, await readMaterial(folder)));
    }
  }
}

/** What only the store knew is in the files from here on. */
export function carryOverProject(store: Store, project: string, folder: string): Promise<CarriedOver> {
  return changeFolder({ store, project, folder }, async (_now, carried) => carried);
}

export interface Owned {
  readonly store: Store;
  readonly project: string;
  readonly folder: string;
  now(): number;
}
