// Back in time: undo takes the last change back, exactly where nobody touched the chapter since, and otherwise like any other edit;
// restore brings a version back; a snapshot keeps one under a name. Every one of them keeps what is there first.
import { GalleyError } from '../../core/model/error.js';
import { changeChapter, look, mergeInto, openChapter, settle } from './change-chapter.js';
import { hashBytes } from './chapter-text.js';
import { standingSteps } from './draft.js';
import { chapterGone, type DraftHome } from './home.js';
import { editsBetween } from './sentence-diff.js';
import { type Step, type Version, versionsOf } from './steps.js';

export interface UndoneStep {
  readonly documentId: string;
  readonly step: Step;
  /** Whether the chapter was edited since, so that only this change was taken back. */
  readonly isMerged: boolean;
  /** Names of variants that wait again. */
  readonly reopened: readonly string[];
}

/** The last change of the chapter, or of all chapters. */
export async function undoLast(
  home: DraftHome,
  { documentId, at }: { readonly documentId?: string | undefined; readonly at: number },
): Promise<UndoneStep> {
  return home.exclusively(async () => {
    await settle(home);
    const standing = standingSteps((await home.log()).steps);
    const step = standing.findLast(({ chapter }) => documentId === undefined || chapter === documentId);
    if (step === undefined) throw new GalleyError('NOT_FOUND', 'There is nothing to undo here.');
    const { chapter: path, before, after } = step;
    if (before === undefined)
      throw new GalleyError(
        'NOT_FOUND',
        `${path} was not there before it was restored; delete the file to take that back.`,
        { details: { path } },
      );
    const chapter = await openChapter(home, path);
    const words = { kind: 'undo', at, undoes: step.id } as const;
    if (chapter.hash === after) {
      await changeChapter(home, chapter, await home.kept(before), words);
      return { documentId: path, step, isMerged: false, reopened: await reopenVariants(home, step) };
    }
    const changed = home.textOf(await home.kept(after), path).text;
    const was = home.textOf(await home.kept(before), path).text;
    const { bytes, conflicts } = mergeInto(chapter, changed, editsBetween(changed, was));
    const [first] = conflicts;
    if (first !== undefined)
      throw new GalleyError(
        'CHANGED_MEANWHILE',
        `${path} was edited since in the same place: paragraph ${first.paragraph}, line ${first.line}. Nothing was written; a version of its history can be restored.`,
        { details: { path, line: first.line, paragraph: first.paragraph } },
      );
    await changeChapter(home, chapter, bytes, words);
    return { documentId: path, step, isMerged: true, reopened: await reopenVariants(home, step) };
  });
}

/** What was put aside when the draft was taken; a file that was deleted meanwhile stays so. */
async function reopenVariants(home: DraftHome, { aside = [] }: Step): Promise<string[]> {
  const variants = (await home.drafts()).filter(
    ({ name, isDiscarded }) => isDiscarded && aside.includes(name),
  );
  for (const variant of variants) await home.putDraft({ ...variant, isDiscarded: false });
  return variants.map(({ name }) => name);
}

export interface ChapterHistory {
  readonly versions: readonly Version[];
  /** Of the chapter now; absent where it is gone. */
  readonly current: string | undefined;
}

export async function chapterHistory(home: DraftHome, documentId: string): Promise<ChapterHistory> {
  await look(home);
  const bytes = await home.readChapter(documentId);
  const versions = versionsOf((await home.log()).steps, documentId);
  if (bytes === undefined && versions.length === 0) throw chapterGone(documentId);
  return { versions, current: bytes === undefined ? undefined : hashBytes(bytes) };
}

export async function takeSnapshot(
  home: DraftHome,
  documentId: string,
  { name, at }: { readonly name?: string | undefined; readonly at: number },
): Promise<Version> {
  return home.exclusively(async () => {
    await settle(home);
    const chapter = await openChapter(home, documentId);
    const named = name === undefined ? {} : { name };
    const { steps } = await home.log();
    if (name !== undefined && versionsOf(steps, documentId).some((version) => version.name === name))
      throw new GalleyError('ALREADY_EXISTS', 'name: a snapshot of this chapter has that name already.', {
        details: { field: 'name' },
      });
    const id = home.newId();
    await home.note({ id, kind: 'snapshot', at, chapter: documentId, after: chapter.hash, ...named });
    return versionsOf((await home.log()).steps, documentId).at(-1) as Version;
  });
}

/** By its number, or by the name of a snapshot. The chapter may be gone: it comes back. */
export async function restoreVersion(
  home: DraftHome,
  documentId: string,
  { called, at }: { readonly called: string; readonly at: number },
): Promise<Version> {
  return home.exclusively(async () => {
    await settle(home);
    const versions = versionsOf((await home.log()).steps, documentId);
    const version =
      versions.find(({ name }) => name === called) ??
      versions.find((each) => String(each.version) === called);
    if (version === undefined)
      throw new GalleyError('NOT_FOUND', 'No such version; documents:history lists those of the chapter.', {
        details: { field: 'version' },
      });
    const bytes = await home.readChapter(documentId);
    const hash = bytes === undefined ? undefined : await home.keep(bytes);
    await changeChapter(home, { documentId, hash }, await home.kept(version.hash), { kind: 'restore', at });
    return version;
  });
}
