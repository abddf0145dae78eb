// A chapter as an editor works on it: read with the hash of what stands there, and written back only over that. What was there
// before is kept now and then, not at every pause in typing.
import { GalleyError } from '../../core/model/error.js';
import { settle } from './change-chapter.js';
import { type ChapterText, encoded, hashBytes, withBreaks } from './chapter-text.js';
import { changedMeanwhile, chapterGone, type DraftHome } from './home.js';
import { editsBetween } from './sentence-diff.js';
import { versionsOf } from './steps.js';

export interface ReadChapter {
  readonly text: string;
  /** SHA-256 of the file as it stands, byte order mark and line breaks included. */
  readonly hash: string;
}

export async function readChapter(home: DraftHome, documentId: string): Promise<ReadChapter> {
  const bytes = await home.readChapter(documentId);
  if (bytes === undefined) throw chapterGone(documentId);
  return { text: home.textOf(bytes, documentId).text, hash: hashBytes(bytes) };
}

/** A state is kept when the last one of the chapter is older than this. */
const keepEveryMs = 10 * 60_000;

export interface ChapterWrite {
  readonly text: string;
  /** What the writer read; left out where there must be no chapter yet. */
  readonly was?: string | undefined;
  /** Keeps the state before, however short ago another was kept. */
  readonly keep: boolean;
  readonly at: number;
}

/** Gives the hash of the chapter as it is then. */
export async function writeChapter(
  home: DraftHome,
  documentId: string,
  { text, was, keep, at }: ChapterWrite,
): Promise<string> {
  return home.exclusively(async () => {
    await settle(home);
    const bytes = await home.readChapter(documentId);
    const now = bytes === undefined ? undefined : hashBytes(bytes);
    if (now === undefined && was !== undefined) throw chapterGone(documentId);
    if (now !== was) throw was === undefined ? thereAlready(documentId) : changedMeanwhile(documentId);
    const next = bytes === undefined ? encoded(text) : bytesOf(home.textOf(bytes, documentId), text);
    const after = hashBytes(next);
    if (after === now) return after;
    if (bytes !== undefined) await keepBefore(home, documentId, { bytes, keep, at });
    await home.writeChapter(documentId, next, was);
    return after;
  });
}

function thereAlready(documentId: string): GalleyError {
  return new GalleyError('ALREADY_EXISTS', `${documentId} exists already; choose another name.`, {
    details: { path: documentId },
  });
}

/** Sentences that did not change keep their bytes. */
function bytesOf(chapter: ChapterText, text: string): Uint8Array {
  return chapter.withEdits(editsBetween(chapter.text, withBreaks(text, '\n')));
}

async function keepBefore(
  home: DraftHome,
  documentId: string,
  { bytes, keep, at }: { readonly bytes: Uint8Array; readonly keep: boolean; readonly at: number },
): Promise<void> {
  const last = versionsOf((await home.log()).steps, documentId).at(-1);
  if (last?.hash === hashBytes(bytes)) return;
  if (!keep && last !== undefined && at - last.at < keepEveryMs) return;
  const after = await home.keep(bytes);
  await home.note({ id: home.newId(), kind: 'snapshot', at, chapter: documentId, after });
}
