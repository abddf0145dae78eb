// Which home is meant? A chapter of a folder that the project owns lives in the folder with its drafts; every other document in the
// store.
import { isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { isChapterPath } from '../folder/chapter-files.js';
import { ownsFolder } from '../folder/project-folder.js';
import { findDraft } from './apply-draft.js';
import { folderHome } from './folder-home.js';
import type { DraftHome } from './home.js';
import { storeHome } from './store-home.js';

export interface DraftHomes {
  /** The folder's first. */
  readonly all: readonly DraftHome[];
  ofDocument(documentId: string): DraftHome;
  ofDraft(called: string): Promise<DraftHome>;
}

export async function draftHomes(store: Store, project: string, folder: string): Promise<DraftHomes> {
  const rest = storeHome(store, project);
  const own = (await isOwner(store, project, folder)) ? folderHome(folder) : undefined;
  const all = own === undefined ? [rest] : [own, rest];
  return {
    all,
    ofDocument: (documentId) => (own !== undefined && isChapterPath(documentId) ? own : rest),
    ofDraft: async (called) => {
      if (own === undefined) return rest;
      const isHere = await findDraft(own, called).then(
        () => true,
        (error: unknown) => {
          if (isGalleyError(error) && error.code === 'NOT_FOUND') return false;
          throw error;
        },
      );
      return isHere ? own : rest;
    },
  };
}

/** A project that nobody has stored yet owns nothing. */
async function isOwner(store: Store, project: string, folder: string): Promise<boolean> {
  return ownsFolder(store, project, folder).catch((error: unknown) => {
    if (isGalleyError(error) && error.code === 'NOT_FOUND') return false;
    throw error;
  });
}
