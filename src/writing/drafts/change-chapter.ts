// The one way a chapter is changed: both states are kept, the step is written down, the chapter is replaced, the step is done. Whoever
// comes next finds out how a step ended whose writer was killed: what stands in the chapter happened, everything else did not.
import { isGalleyError } from '../../core/model/error.js';
import { type ChapterText, hashBytes } from './chapter-text.js';
import { chapterGone, type DraftHome } from './home.js';
import { mergeEdits } from './merge-edits.js';
import { type DraftPiece, placeOf } from './pieces.js';
import { type Edit, editsBetween } from './sentence-diff.js';
import type { Step } from './steps.js';

export interface OpenChapter extends ChapterText {
  readonly documentId: string;
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** The chapter as it is now, kept before anything is done to it. */
export async function openChapter(home: DraftHome, documentId: string): Promise<OpenChapter> {
  const bytes = await home.readChapter(documentId);
  if (bytes === undefined) throw chapterGone(documentId);
  const { text, withEdits } = home.textOf(bytes, documentId);
  return { documentId, bytes, hash: await home.keep(bytes), text, withEdits };
}

/** Of a step, what its maker says. */
export type StepWords = Pick<Step, 'kind' | 'at'> &
  Partial<Pick<Step, 'draft' | 'draftText' | 'pieces' | 'of' | 'undoes'>>;

/** Only within `exclusively`, and after `settle`. */
export async function changeChapter(
  home: DraftHome,
  was: { readonly documentId: string; readonly hash: string | undefined },
  bytes: Uint8Array,
  words: StepWords,
): Promise<Step> {
  const after = await home.keep(bytes);
  const step: Step = {
    id: home.newId(),
    ...words,
    chapter: was.documentId,
    ...(was.hash === undefined ? {} : { before: was.hash }),
    after,
  };
  await home.note(step);
  try {
    if (after !== was.hash) await home.writeChapter(was.documentId, bytes, was.hash);
  } catch (error) {
    // Where even this cannot be written, the next look finds out.
    await home.note({ end: 'void', of: step.id }).catch(() => undefined);
    throw error;
  }
  await home.note({ end: 'done', of: step.id });
  return step;
}

/** Before a look: what somebody left unfinished is settled, where this can be written at all. */
export async function look(home: DraftHome): Promise<void> {
  if ((await home.log()).open.length === 0) return;
  await home
    .exclusively(() => settle(home))
    .catch((error: unknown) => {
      if (!isGalleyError(error)) throw error;
    });
}

/** Steps that were begun and not ended; only within `exclusively`. */
export async function settle(home: DraftHome): Promise<void> {
  const { open } = await home.log();
  for (const { id, chapter, after } of open) {
    const bytes = await home.readChapter(chapter).catch(() => undefined);
    const isDone = bytes !== undefined && hashBytes(bytes) === after;
    await home.note({ end: isDone ? 'done' : 'void', of: id });
  }
}

export interface Merge {
  readonly bytes: Uint8Array;
  /** Whether the chapter was edited since. */
  readonly isMerged: boolean;
  /** Edits that meet one made meanwhile, and where they are in the chapter. */
  readonly conflicts: readonly { readonly edit: Edit; readonly line: number; readonly paragraph: number }[];
}

/** Edits of an earlier state of the chapter, brought into it as it is now. */
export function mergeInto(chapter: OpenChapter, base: string, mine: readonly Edit[]): Merge {
  const theirs = editsBetween(base, chapter.text);
  const { edits, conflicts } = mergeEdits(base, mine, theirs);
  return {
    bytes: edits.length === 0 ? chapter.bytes : chapter.withEdits(edits),
    isMerged: theirs.length > 0,
    conflicts: conflicts.map((edit) => ({ edit, ...placeOf(chapter.text, unitNow(edit, theirs)) })),
  };
}

/** About where a place of the base is now. */
function unitNow({ start }: Edit, theirs: readonly Edit[]): number {
  return theirs.reduce(
    (unit, edit) => (edit.end <= start ? unit + edit.text.length - (edit.end - edit.start) : unit),
    start,
  );
}

export function isPiece(edit: Edit): edit is DraftPiece {
  return 'number' in edit;
}
