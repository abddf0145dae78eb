// The store as an operation on a project works with it: where the project owns the folder, what is changed is changed in its files.
// What knows of files is loaded when a project is asked for.
import type { Store } from '../store/store.js';
import type { OperationContext } from './operation.js';

type Place = Pick<OperationContext, 'store' | 'folder' | 'now'>;

export async function projectStore(context: Place, project: string): Promise<Store> {
  const { storeOfProject } = await import('../writing/owned/folder-store.js');
  return storeOfProject(await context.store(), project, { folder: context.folder, now: () => context.now() });
}

/** For lists: abreast of the files. */
export async function listedStore(context: Place, project: string): Promise<Store> {
  const { storeToRead } = await import('../writing/owned/folder-store.js');
  return storeToRead(await context.store(), project, { folder: context.folder, now: () => context.now() });
}
