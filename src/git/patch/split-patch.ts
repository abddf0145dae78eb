// A patch in pieces: each applies on the result of the one before, and together they give the new side. Facts about the file
// itself (name, mode, creation) stand on the first piece, a deletion on the last.
import { GalleyError } from '../../core/model/error.js';
import { type FilePatch, hunkLines, type PatchHeader } from './patch.js';
import { asEdit, projectHunks, withHunks, withoutIds } from './select-lines.js';

/** Lines of one hunk, counted from zero; without bounds the whole hunk. Context lines inside are ignored. */
export interface LineSpan {
  readonly hunk: number;
  readonly from?: number;
  /** Exclusive. */
  readonly to?: number;
}

export type LineGroup = readonly LineSpan[];

/** Every changed line must stand in exactly one group, and every group must hold one. */
export function splitPatch(patch: FilePatch, groups: readonly LineGroup[]): FilePatch[] {
  if (patch.hunks.length === 0 || groups.length === 1) return [patch];
  const groupOf = assign(patch, groups);
  return groups.map((_, piece) => {
    const hunks = projectHunks(patch, (hunk, line) => {
      const group = groupOf[hunk]![line]!;
      return group < piece ? 'before' : group === piece ? 'now' : 'later';
    });
    return withHunks(patch, pieceHeader(patch.header, piece, groups.length), hunks);
  });
}

function pieceHeader(header: PatchHeader, piece: number, pieces: number): PatchHeader {
  if (header.change === 'delete') return piece === pieces - 1 ? withoutIds(header) : asEdit(header, 'old');
  return piece === 0 ? withoutIds(header) : asEdit(header, 'new');
}

function assign(patch: FilePatch, groups: readonly LineGroup[]): Int32Array[] {
  const lines = patch.hunks.map(hunkLines);
  const groupOf = lines.map((list) => new Int32Array(list.length).fill(-1));
  groups.forEach((spans, group) => {
    let held = 0;
    for (const { hunk, from = 0, to = Number.POSITIVE_INFINITY } of spans) {
      const list = lines[hunk];
      if (list === undefined) throw invalid(`hunk ${hunk} does not exist`);
      for (let line = Math.max(0, from); line < Math.min(to, list.length); line += 1) {
        if (list[line]!.kind === 'context') continue;
        if (groupOf[hunk]![line] !== -1) throw invalid(`a line of hunk ${hunk} stands in two groups`);
        groupOf[hunk]![line] = group;
        held += 1;
      }
    }
    if (held === 0) throw invalid(`group ${group} holds no changed line`);
  });
  lines.forEach((list, hunk) => {
    if (list.some(({ kind }, line) => kind !== 'context' && groupOf[hunk]![line] === -1))
      throw invalid(`a changed line of hunk ${hunk} stands in no group`);
  });
  return groupOf;
}

function invalid(problem: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `groups: ${problem}.`, { details: { field: 'groups' } });
}
