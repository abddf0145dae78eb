// The lines a remark may stand on: per file and side, exactly those the hunks show.
import { type FilePatch, hunkLines, lineText } from '../../git/patch/patch.js';
import type { Side } from './finding.js';

export interface SideLines {
  /** Number of the first line. */
  readonly start: number;
  readonly texts: readonly string[];
}

export interface ChangedHunk {
  readonly old: SideLines;
  readonly new: SideLines;
  /** For each old line its number on the new side, 0 where it was removed. */
  readonly twins: readonly number[];
}

export interface ChangedFile {
  readonly path: string;
  readonly hunks: readonly ChangedHunk[];
  /** Text that cannot be written back from what is shown. */
  readonly lossy: boolean;
}

/** Takes whole patches of a change set, not pieces of them: pieces count lines of files that never existed. */
export function changedFiles(
  patches: Iterable<FilePatch>,
  wanted: ReadonlySet<string>,
): Map<string, ChangedFile> {
  const files = new Map<string, ChangedFile>();
  const formerNames = new Map<string, string>();
  const pending: FilePatch[] = [];
  for (const patch of patches) {
    const { path, oldPath, status } = patch.entry;
    if (oldPath !== undefined && (status === 'renamed' || !formerNames.has(oldPath)))
      formerNames.set(oldPath, path);
    pending.push(patch);
  }
  const changed = new Set(pending.map(({ entry }) => entry.path));
  const names = new Map<string, string>();
  for (const name of wanted) {
    const target = [name, name.replace(/^[ab]\//, '')]
      .map((candidate) => (changed.has(candidate) ? candidate : formerNames.get(candidate)))
      .find((candidate) => candidate !== undefined);
    if (target !== undefined) names.set(name, target);
  }
  const targets = new Set(names.values());
  const byPath = new Map<string, ChangedFile>();
  for (const patch of pending) {
    const { path } = patch.entry;
    if (!targets.has(path)) continue;
    const earlier = byPath.get(path);
    byPath.set(path, {
      path,
      hunks: [...(earlier?.hunks ?? []), ...patch.hunks.map(changedHunk)],
      lossy: patch.lossy || earlier?.lossy === true,
    });
  }
  for (const [name, target] of names) files.set(name, byPath.get(target)!);
  return files;
}

function changedHunk(hunk: FilePatch['hunks'][number]): ChangedHunk {
  const oldTexts: string[] = [];
  const newTexts: string[] = [];
  const twins: number[] = [];
  for (const line of hunkLines(hunk)) {
    const text = lineText(line).replace(/\r$/, '');
    if (line.kind !== 'added') {
      oldTexts.push(text);
      twins.push(line.kind === 'context' ? hunk.newStart + newTexts.length : 0);
    }
    if (line.kind !== 'removed') newTexts.push(text);
  }
  return {
    old: { start: hunk.oldStart, texts: oldTexts },
    new: { start: hunk.newStart, texts: newTexts },
    twins,
  };
}

export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

export function holdsLine(lines: SideLines, line: number): boolean {
  return line >= lines.start && line < lines.start + lines.texts.length;
}

/** The one hunk that holds the whole range on that side. */
export function hunkAround(file: ChangedFile, side: Side, range: LineRange): ChangedHunk | undefined {
  return file.hunks.find(
    (hunk) => holdsLine(hunk[side], range.startLine) && holdsLine(hunk[side], range.endLine),
  );
}

export function rangeTexts(lines: SideLines, range: LineRange): readonly string[] {
  return lines.texts.slice(range.startLine - lines.start, range.endLine - lines.start + 1);
}
