// The store of a project that owns its folder: what changes constraints, people, memory, episodes, settings or skills changes a file
// first, and the store then follows the folder. Whoever works through it need not know of files, and deleting the store loses nothing.
import { isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { followFolder } from '../folder/follow-folder.js';
import { followMaterial } from '../folder/follow-material.js';
import { readMaterial } from '../folder/material.js';
import { claimFolder, claimState } from '../folder/project-folder.js';
import type { Owned } from './change-folder.js';
import { ownBudgets, ownEntities, ownSettings, ownSkills } from './file-tables.js';
import { ownConstraints, ownMemory, ownSummaries } from './told-tables.js';

/** The store that a project should be changed through. A folder whose store was lost is read again first. */
export async function storeOfProject(
  store: Store,
  project: string,
  { folder, now }: { readonly folder: string; readonly now: () => number },
): Promise<Store> {
  const state = await claimState(store, project, folder);
  if (state === 'none') return store;
  if (state === 'forgotten')
    await quietly(async () => {
      await claimFolder(store, project, folder);
      await followFolder(store, project, folder);
    });
  return folderStore({ store, project, folder, now });
}

/** Before anything is listed: what stands in the files now. */
export async function storeToRead(
  store: Store,
  project: string,
  place: { readonly folder: string; readonly now: () => number },
): Promise<Store> {
  const own = await storeOfProject(store, project, place);
  if (own === store) return store;
  await quietly(async () => {
    await followMaterial(store, project, await readMaterial(place.folder));
  });
  return own;
}

/** A store that is behind its folder still has its uses; whoever changes something is told. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isGalleyError(error)) throw error;
  }
}

function folderStore(owned: Owned): Store {
  return {
    ...owned.store,
    constraints: ownConstraints(owned),
    memory: ownMemory(owned),
    summaries: ownSummaries(owned),
    entities: ownEntities(owned),
    settings: ownSettings(owned),
    skills: ownSkills(owned),
    budgets: ownBudgets(owned),
  };
}
