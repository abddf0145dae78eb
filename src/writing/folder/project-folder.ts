// Whose folder is this? A folder that a project has claimed is read for that project only; an unclaimed one for whoever works in it.
import type { Store } from '../../store/store.js';

const here = '.';

/** The folder if the project may read it. */
export async function projectFolder(store: Store, project: string, folder: string): Promise<string | undefined> {
  const claimed = (await store.projects.list()).filter((known) => known.folder === here);
  return claimed.length === 0 || claimed.some(({ id }) => id === project) ? folder : undefined;
}

export async function ownsFolder(store: Store, project: string): Promise<boolean> {
  return (await store.projects.get(project)).folder === here;
}

export async function claimFolder(store: Store, project: string): Promise<void> {
  if (!(await ownsFolder(store, project))) await store.projects.put(project, { folder: here });
}
