// Where each line of a change stands in its diff, for hosts that ask for both sides.
import type { DiffLine } from '../../forges/forge.js';
import { type FilePatch, hunkLines } from '../../git/patch/patch.js';
import type { FindingSide } from '../findings/finding.js';

export interface FilePlaces {
  readonly oldPath: string;
  readonly old: ReadonlyMap<number, PlacedLine>;
  readonly new: ReadonlyMap<number, PlacedLine>;
}

export interface PlacedLine extends DiffLine {
  /** A remark may not span two. */
  readonly hunk: number;
}

export function linePlaces(patches: Iterable<FilePatch>): Map<string, FilePlaces> {
  const files = new Map<string, FilePlaces>();
  for (const { entry, hunks } of patches) {
    const sides = { old: new Map<number, PlacedLine>(), new: new Map<number, PlacedLine>() };
    for (const [at, hunk] of hunks.entries()) {
      const position = { old: hunk.oldStart, new: hunk.newStart };
      for (const { kind } of hunkLines(hunk)) {
        const place: PlacedLine = {
          hunk: at,
          position: { ...position },
          ...(kind === 'added' ? {} : { oldLine: position.old }),
          ...(kind === 'removed' ? {} : { newLine: position.new }),
        };
        if (place.oldLine !== undefined) sides.old.set(position.old, place);
        if (place.newLine !== undefined) sides.new.set(position.new, place);
        if (kind !== 'added') position.old += 1;
        if (kind !== 'removed') position.new += 1;
      }
    }
    // A type change has two patches under one path; the second is what the file is now.
    const earlier = files.get(entry.path);
    files.set(entry.path, {
      oldPath: entry.oldPath ?? entry.path,
      old: new Map([...(earlier?.old ?? []), ...sides.old]),
      new: new Map([...(earlier?.new ?? []), ...sides.new]),
    });
  }
  return files;
}

/** Both ends of a range on one side of one hunk; undefined where it does not stand in the diff. */
export function rangePlaces(
  files: ReadonlyMap<string, FilePlaces>,
  range: {
    readonly path: string;
    readonly side: FindingSide;
    readonly startLine: number;
    readonly endLine: number;
  },
): { readonly oldPath: string; readonly first: DiffLine; readonly last: DiffLine } | undefined {
  const file = files.get(range.path);
  const [first, last] = [file?.[range.side].get(range.startLine), file?.[range.side].get(range.endLine)];
  if (file === undefined || first === undefined || last === undefined || first.hunk !== last.hunk)
    return undefined;
  return { oldPath: file.oldPath, first: diffLine(first), last: diffLine(last) };
}

function diffLine({ hunk: _, ...line }: PlacedLine): DiffLine {
  return line;
}
