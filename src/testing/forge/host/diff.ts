// The difference between two commits as a host shows it, read from git's own patch: which lines stand in it, and where a line went.
import type { BareRepository } from './bare-repository.js';

export interface DiffFile {
  readonly path: string;
  readonly oldPath: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed';
  readonly hunks: readonly DiffHunk[];
}

export interface DiffHunk {
  readonly header: string;
  readonly lines: readonly HunkLine[];
}

export interface HunkLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** Lines counted so far on either side; the line's own number on the sides it stands on. */
  readonly old: number;
  readonly new: number;
  readonly text: string;
}

export type Side = 'old' | 'new';

const form = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--full-index'];

export async function readDiff(
  { git }: Pick<BareRepository, 'git'>,
  range: { readonly from: string; readonly to: string; readonly context?: number },
): Promise<DiffFile[]> {
  const ends = [range.from, range.to, '--'];
  const names = (await git(['diff', '--raw', '-z', ...form, ...ends])).split('\0');
  const patch = await git(['diff', '--patch', `-U${range.context ?? 3}`, ...form, ...ends]);
  const bodies = patch.split(/^diff --git .*\n/m).slice(1);
  const files: DiffFile[] = [];
  let at = 0;
  for (let index = 0; index + 1 < names.length; ) {
    const letter = names[index]!.split(' ').at(-1)![0]!;
    const isPair = letter === 'R' || letter === 'C';
    const oldPath = names[index + 1]!;
    const path = isPair ? names[index + 2]! : oldPath;
    index += isPair ? 3 : 2;
    // A change of type is told as a removal and an addition.
    const own = bodies.slice(at, at + (letter === 'T' ? 2 : 1));
    at += own.length;
    const status =
      letter === 'A' ? 'added' : letter === 'D' ? 'removed' : letter === 'R' ? 'renamed' : 'modified';
    files.push({ path, oldPath, status, hunks: own.flatMap(readHunks) });
  }
  return files;
}

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Lines are taken by their counts, so that no text of a file is ever taken for a header. */
function readHunks(body: string): DiffHunk[] {
  const rows = body.split('\n');
  const hunks: DiffHunk[] = [];
  for (let at = 0; at < rows.length; ) {
    const header = rows[at]!;
    const match = hunkStart.exec(header);
    at += 1;
    if (match === null) continue;
    let [old, oldLeft, next, newLeft] = [match[1], match[2] ?? 1, match[3], match[4] ?? 1].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    const lines: HunkLine[] = [];
    while (oldLeft > 0 || newLeft > 0) {
      const row = rows[at]!;
      at += 1;
      if (row[0] === '\\') continue;
      const kind = row[0] === '+' ? 'added' : row[0] === '-' ? 'removed' : 'context';
      lines.push({ kind, old, new: next, text: row.slice(1) });
      if (kind !== 'added') [old, oldLeft] = [old + 1, oldLeft - 1];
      if (kind !== 'removed') [next, newLeft] = [next + 1, newLeft - 1];
    }
    hunks.push({ header, lines });
  }
  return hunks;
}

export interface LineInDiff extends HunkLine {
  readonly hunk: number;
}

/** The line of a file on one side, where it stands in the diff. */
export function lineInDiff(file: DiffFile, side: Side, number: number): LineInDiff | undefined {
  const other = side === 'new' ? 'removed' : 'added';
  for (const [hunk, { lines }] of file.hunks.entries()) {
    const found = lines.find((line) => line.kind !== other && line[side] === number);
    if (found !== undefined) return { ...found, hunk };
  }
  return undefined;
}

/** A hunk as git writes it, which ends with the line. */
export function hunkUpTo(file: DiffFile, side: Side, number: number): string {
  const found = lineInDiff(file, side, number);
  const hunk = found && file.hunks[found.hunk];
  if (found === undefined || hunk === undefined) return '';
  const at = hunk.lines.findIndex(
    ({ kind, old, new: next }) => kind === found.kind && old === found.old && next === found.new,
  );
  const signs = { context: ' ', added: '+', removed: '-' } as const;
  const lines = hunk.lines.slice(0, at + 1).map(({ kind, text }) => `${signs[kind]}${text}`);
  return [hunk.header, ...lines].join('\n');
}

/** Where a line of the first commit is in the second; undefined where it was changed or removed. The diff has no context. */
export function followLine(files: readonly DiffFile[], path: string, number: number): number | undefined {
  const file = files.find(({ oldPath }) => oldPath === path);
  if (file === undefined) return number;
  if (file.path !== path) return undefined;
  let moved = number;
  for (const { header, lines } of file.hunks) {
    // A hunk without old lines is counted at the line before it.
    const from = /^@@ -\d+,0 /.test(header) ? 1 : 0;
    for (const line of lines) {
      if (line.kind === 'removed' && line.old === number) return undefined;
      if (line.kind === 'removed' && line.old < number) moved -= 1;
      if (line.kind === 'added' && line.old + from <= number) moved += 1;
    }
  }
  return moved;
}
