// The store of a folder, opened when it is first needed and shared until it is closed: one SQLite file, its folder made when it
// is missing, or a database that others share.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkStorePath, isDatabaseAddress } from '../store/check-store-path.js';
import type { Store } from '../store/store.js';

export interface SharedStore {
  store(): Promise<Store>;
  close(): Promise<void>;
}

export interface SharedStoreOptions {
  /** Without it GALLEY_STORE, or the file of the folder. */
  readonly path?: string | undefined;
  readonly now?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

/** What GALLEY_STORE names: a variable that was emptied names nothing. */
export function exportedStore(): string | undefined {
  return process.env.GALLEY_STORE || undefined;
}

/** Where the store of a folder is, unless the caller or GALLEY_STORE names another. */
export function storePath(folder: string, named: string | undefined): string {
  const exported = exportedStore();
  if (named !== undefined) checkStorePath(named);
  else if (exported !== undefined) checkStorePath(exported, 'GALLEY_STORE');
  return named ?? exported ?? ownPath(folder);
}

/** Whether somebody made it already: whoever only looks makes no file. */
export function isThere(store: string): boolean {
  return isDatabaseAddress(store) || existsSync(store);
}

function ownPath(folder: string): string {
  return join(folder, '.galley', 'galley.db');
}

export function sharedStore(folder: string, options: SharedStoreOptions = {}): SharedStore {
  const path = storePath(folder, options.path);
  let opening: Promise<Store> | undefined;
  return {
    store: () => {
      opening ??= open(path, options, folder).catch((error: unknown) => {
        // What failed once may succeed when it is asked for again.
        opening = undefined;
        throw error;
      });
      return opening;
    },
    close: async () => {
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}

async function open(path: string, options: SharedStoreOptions, folder: string): Promise<Store> {
  const { openStoreAt } = await import('../store/place/open-store.js');
  const { now = () => Date.now(), newId } = options;
  const store = await openStoreAt({ path, now, ...(newId === undefined ? {} : { newId }) });
  if (path === ownPath(folder) && isInRepository(folder)) await hideFromGit(dirname(path));
  return store;
}

function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}

/** The store is no part of a change; where the line cannot be written, or stands already, nothing is lost. */
async function hideFromGit(folder: string): Promise<void> {
  const text = '.gitignore\ngalley.db*\n';
  await writeFile(join(folder, '.gitignore'), text, { flag: 'wx' }).catch(() => {});
}
