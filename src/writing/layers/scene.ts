// Where the writer is: the document, the cursor or selection in it, and the stretch of text around it that is read.
import type { DocumentEntry } from '../../store/tables/documents.js';
import type { IndexedText } from '../documents/indexed-text.js';
import { type LaterText, laterChapters } from '../story/story-time.js';

/** Code units of the document: before is [from, start), the selection [start, end), after [end, to). */
export interface SceneWindow {
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly to: number;
}

/** In code points. With a history the text may grow from the least to the most before its start moves. */
export interface TextStretch {
  readonly least: number;
  readonly most: number;
}

export interface Scene {
  readonly project: string;
  readonly documentId: string;
  readonly title: string;
  /** Place of the document in reading order; undefined for a document that is not stored. */
  readonly chapter: number | undefined;
  readonly indexed: IndexedText;
  readonly window: SceneWindow;
  /** All documents of the project, in reading order; undefined when they could not be listed. */
  readonly entries: readonly DocumentEntry[] | undefined;
  readonly instruction: string;
  /** The stretch before the cursor, where a skill says how long it must be. */
  readonly stretch?: TextStretch;
  /** Whether passages that come later in the story may be shown; left out: they may not. */
  readonly later?: LaterText;
  /** Whether a text tells what must not be known at this point of the story. */
  readonly tellsSecret?: (text: string) => boolean;
}

/** Tells which documents come after the one being written; none where that has no place. */
export function laterThan({
  entries,
  documentId,
  indexed,
}: Scene): (entry: DocumentEntry | undefined) => boolean {
  return laterChapters({ entries, documentId, opening: indexed.text.slice(0, openingUnits) });
}

/** Enough for the line that names a chapter. */
const openingUnits = 4_000;
