// Where drafts and the history of chapters live: files of a folder that a project owns, or the store for everybody else. Whatever is
// done to a draft or a chapter is done over this.
import { GalleyError } from '../../core/model/error.js';
import type { ChapterText } from './chapter-text.js';
import type { Draft } from './draft.js';
import type { LogEntry, ReadLog } from './steps.js';

export interface DraftHome {
  /** One at a time, over all processes. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Undefined where there is no such chapter. */
  readChapter(documentId: string): Promise<Uint8Array | undefined>;
  /** Refuses with CHANGED_MEANWHILE where the chapter is not what it was. */
  writeChapter(documentId: string, bytes: Uint8Array, was: string | undefined): Promise<void>;
  textOf(bytes: Uint8Array, documentId: string): ChapterText;
  /** Keeps a state of a chapter under its hash. */
  keep(bytes: Uint8Array): Promise<string>;
  kept(hash: string): Promise<Uint8Array>;
  log(): Promise<ReadLog>;
  note(entry: LogEntry): Promise<void>;
  /** By number. */
  drafts(): Promise<readonly Draft[]>;
  putDraft(draft: Draft): Promise<void>;
  newId(): string;
}

export function changedMeanwhile(documentId: string): GalleyError {
  return new GalleyError(
    'CHANGED_MEANWHILE',
    `${documentId} was changed by somebody else at this moment; nothing was written, try again.`,
    { details: { path: documentId } },
  );
}

export function stateLost(hash: string): GalleyError {
  return new GalleyError(
    'NOT_FOUND',
    `The state ${hash.slice(0, 12)} of the chapter is no longer kept; its file was removed or changed.`,
    { details: { hash } },
  );
}

export function chapterGone(documentId: string): GalleyError {
  return new GalleyError(
    'NOT_FOUND',
    `${documentId} is gone; its history is still there, and restoring a version brings it back.`,
    { details: { path: documentId } },
  );
}
