// A subset of the hunks or changed lines as a patch that applies to the old side: what is not selected stays as it was.
import { isUtf8 } from 'node:buffer';
import { type FilePatch, type Hunk, hunkLines, type PatchHeader } from './patch.js';
import { projectHunks } from './project-hunks.js';

export function selectHunks(patch: FilePatch, hunks: readonly number[]): FilePatch {
  const wanted = new Set(hunks);
  return selectLines(patch, (hunk) => wanted.has(hunk));
}

/** Indexes count hunks of the patch and lines of the hunk from zero; context lines need not be selected. */
export function selectLines(patch: FilePatch, wanted: (hunk: number, line: number) => boolean): FilePatch {
  const complete = patch.hunks.every((hunk, hunkIndex) =>
    hunkLines(hunk).every(({ kind }, line) => kind === 'context' || wanted(hunkIndex, line)),
  );
  if (complete) return patch;
  const hunks = projectHunks(patch, (hunk, line) => (wanted(hunk, line) ? 'now' : 'later'));
  // Lines that stay keep their file alive.
  const header = patch.header.change === 'delete' ? asEdit(patch.header, 'old') : withoutIds(patch.header);
  return withHunks(patch, header, hunks);
}

export function withHunks(patch: FilePatch, header: PatchHeader, hunks: readonly Hunk[]): FilePatch {
  return {
    entry: patch.entry,
    header,
    hunks,
    binary: patch.binary,
    added: hunks.reduce((total, { added }) => total + added, 0),
    removed: hunks.reduce((total, { removed }) => total + removed, 0),
    lossy: hunks.some(({ body }) => !isUtf8(body)),
  };
}

export function withoutIds({ ids: _, ...header }: PatchHeader): PatchHeader {
  return header;
}

/** The header of an edit in place, for a file that has its old or already its new name and mode. */
export function asEdit(header: PatchHeader, side: 'old' | 'new'): PatchHeader {
  const path = side === 'old' ? header.oldPath : header.newPath;
  const mode = side === 'old' ? header.oldMode : header.newMode;
  return {
    change: 'modify',
    oldPath: path,
    newPath: path,
    ...(mode === undefined ? {} : { oldMode: mode, newMode: mode }),
  };
}
