// A list of the writer's that is kept as one text: a file where the project owns its folder, a named text of the store where not.
import type { Store } from '../../store/store.js';
import { withFolderLock } from './folder-lock.js';
import { followMaterial } from './follow-material.js';
import { materialPath, readMaterial, type SettingKey, settingFiles } from './material.js';
import { ownsFolder, prepareFolder } from './project-folder.js';
import { changeFile } from './write-within.js';

export interface ListPlace {
  /** The one behind the folder, which follows its files. */
  readonly store: Store;
  readonly project: string;
  readonly folder: string;
}

export async function changeList(
  { store, project, folder }: ListPlace,
  key: SettingKey,
  change: (text: string | undefined) => string,
): Promise<void> {
  const file = settingFiles.find(([each]) => each === key)?.[1] ?? key;
  if (!(await ownsFolder(store, project, folder))) {
    await store.settings.put(project, key, change(await store.settings.get(project, key)));
    return;
  }
  await withFolderLock(folder, async () => {
    await prepareFolder(folder, project);
    await changeFile(folder, await materialPath(folder, file), change);
    await followMaterial(store, project, await readMaterial(folder));
  });
}
