// Where a remark stands, in GitLab's own terms. A line is found only by exactly the numbers it has: both for an unchanged one, the new
// for an added one, the old for a removed one.
import { createHash } from 'node:crypto';
import type { DiffFile, HunkLine } from '../host/diff.js';
import type { Pull, ThreadPlace } from '../host/records.js';
import type { World } from '../host/world.js';

export type Position = Readonly<Record<string, unknown>>;

const noLine = ':line_code=>["can\'t be blank", "must be a valid line code"]';

/** The place, or what GitLab says to it. */
export async function readPosition(
  world: World,
  pull: Pull,
  position: Position,
): Promise<ThreadPlace | string> {
  const refs = diffRefs(pull);
  if (Object.entries(refs).some(([name, commit]) => position[name] !== commit))
    return ':position=>["is incomplete"]';
  if (position.position_type !== 'text') return ':position=>["is invalid"]';
  const diff = await world.diffOf(pull);
  const file = diff.find(({ path, oldPath }) => path === position.new_path && oldPath === position.old_path);
  const last = file && findLine(file, position);
  if (file === undefined || last === undefined) return noLine;
  const range = position.line_range as { start?: Position; end?: Position } | undefined;
  const first = range === undefined ? last : findEnd(file, range.start);
  if (range !== undefined && (findEnd(file, range.end) !== last || first === undefined)) return noLine;
  const side = last.kind === 'removed' ? 'old' : 'new';
  if (first === undefined || first.old > last.old || first.new > last.new) return noLine;
  return {
    ...{ path: file.path, oldPath: file.oldPath, side },
    line: last[side],
    startLine: first[side],
  };
}

export function diffRefs({ mergeBase, base, head }: Pull) {
  return { base_sha: mergeBase, start_sha: base.commit, head_sha: head.commit };
}

export function lineNumbers({ kind, old, new: next }: HunkLine) {
  return {
    old_line: kind === 'added' ? null : old,
    new_line: kind === 'removed' ? null : next,
  };
}

function findLine(file: DiffFile, { old_line: old = null, new_line: next = null }: Position) {
  return linesOf(file).find((line) => {
    const numbers = lineNumbers(line);
    return numbers.old_line === old && numbers.new_line === next;
  });
}

/** An end of a range is named by its code, and must be of the kind it says. */
function findEnd(file: DiffFile, end: Position | undefined): HunkLine | undefined {
  const found = linesOf(file).find((line) => lineCode(file, line) === end?.line_code);
  return found !== undefined && (end?.type ?? null) === lineType(found) ? found : undefined;
}

export function lineType({ kind }: HunkLine): 'new' | 'old' | null {
  return kind === 'added' ? 'new' : kind === 'removed' ? 'old' : null;
}

function linesOf({ hunks }: DiffFile): HunkLine[] {
  return hunks.flatMap(({ lines }) => lines);
}

export function lineCode({ path }: Pick<DiffFile, 'path'>, { old, new: next }: HunkLine): string {
  return `${createHash('sha1').update(path).digest('hex')}_${old}_${next}`;
}
