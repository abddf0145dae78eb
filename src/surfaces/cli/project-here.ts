// The project of the folder a command works in. A store that cannot be opened is refused by whoever needs it.
import { isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { nameOfFolder, projectOfFolder, type StorePlace } from '../../writing/folder/project-folder.js';

export async function projectHere(
  open: () => Promise<Store>,
  folder: string,
  place: StorePlace,
): Promise<string> {
  try {
    return await projectOfFolder(await open(), folder, place);
  } catch (error) {
    if (isGalleyError(error)) return nameOfFolder(folder);
    throw error;
  }
}
