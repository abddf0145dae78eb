// Where the notes of a project are kept, and how they are changed there.
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { type BookNote, type NoteKind, noteKey, noteOf, notePath } from '../notes/book-notes.js';
import { readMaterial } from './material.js';
import { ownsFolder } from './project-folder.js';
import { changeFile } from './write-within.js';

export interface NoteHome {
  list(kind: NoteKind): Promise<readonly BookNote[]>;
  put(note: BookNote): Promise<void>;
  /** Refuses where there is none. */
  delete(kind: NoteKind, about: string): Promise<void>;
}

const place = '.galley';

export async function noteHome(store: Store, project: string, folder: string): Promise<NoteHome> {
  const isOwner = await ownsFolder(store, project, folder).catch((error: unknown) => {
    if (isGalleyError(error) && error.code === 'NOT_FOUND') return false;
    throw error;
  });
  return isOwner ? inFolder(folder) : inStore(store, project);
}

function inFolder(folder: string): NoteHome {
  return {
    list: async (kind) => (await readMaterial(folder)).notes.filter((note) => note.kind === kind),
    async put({ kind, about, text }) {
      await changeFile(folder, notePath(place, kind, about), () => text);
    },
    async delete(kind, about) {
      const isGone = await changeFile(folder, notePath(place, kind, about), () => undefined);
      if (!isGone) throw noNote();
    },
  };
}

function inStore(store: Store, project: string): NoteHome {
  return {
    async list(kind) {
      const rows = await store.settings.list(project);
      return rows.flatMap(({ key, text }) => {
        const note = noteOf(key, text);
        return note?.kind === kind ? [note] : [];
      });
    },
    async put({ kind, about, text }) {
      await store.settings.put(project, noteKey(kind, about), text);
    },
    async delete(kind, about) {
      await store.settings.delete(project, noteKey(kind, about)).catch((error: unknown) => {
        throw isGalleyError(error) && error.code === 'NOT_FOUND' ? noNote() : error;
      });
    },
  };
}

function noNote(): GalleyError {
  return new GalleyError('NOT_FOUND', 'documentId: there is none for this chapter.', {
    details: { field: 'documentId' },
  });
}
