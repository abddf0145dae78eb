// Which lines a commit touched: hunks without any context, and none of their text. Read from one stream of git for many commits.
import { pathText, splitRecords } from '../process/records.js';
import { streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';

/** As git writes it with no line of context. */
export interface LineHunk {
  /** With a count of 0, the number of the line before. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

export interface TouchedFile {
  /** Absent for a file that is new. */
  readonly oldPath?: string;
  /** Absent for one that is gone. */
  readonly newPath?: string;
  /** In the order of lines; none for a file that was only renamed, or is no text. */
  readonly hunks: readonly LineHunk[];
}

const flags = [
  ...['-p', '-U0', '--inter-hunk-context=0', '-M', '--diff-algorithm=myers', '--indent-heuristic'],
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short', '--ignore-submodules=none'],
  ...['--src-prefix=a/', '--dst-prefix=b/'],
];

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** From one tree to another. */
export async function touchedBetween(
  repository: Repository,
  sides: { readonly from: string; readonly to: string },
  { signal }: Options = {},
): Promise<readonly TouchedFile[]> {
  const args = ['diff-tree', '-r', ...flags, sides.from, sides.to, '--'];
  const found = await readTouched(streamGit(repository.cleanRoom, args, { signal }));
  return found.get('') ?? [];
}

/** By each commit of a line of first parents, against its first parent. */
export async function touchedByCommits(
  repository: Repository,
  range: { readonly after: string; readonly upTo: string },
  { signal }: Options = {},
): Promise<ReadonlyMap<string, readonly TouchedFile[]>> {
  const args = [
    ...['log', '--first-parent', '-m', '--format=%x00%H', ...flags],
    ...[range.upTo, `^${range.after}`, '--'],
  ];
  return readTouched(streamGit(repository.cleanRoom, args, { signal }));
}

interface OpenFile {
  oldPath?: string;
  newPath?: string;
  readonly hunks: LineHunk[];
}

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A line belongs to a hunk as long as its counts say so, never by what it looks like. */
async function readTouched(chunks: AsyncIterable<Buffer>): Promise<Map<string, TouchedFile[]>> {
  const commits = new Map<string, TouchedFile[]>();
  let files: TouchedFile[] = [];
  commits.set('', files);
  let file: OpenFile | undefined;
  let left = 0;
  const outside = (line: Buffer) => {
    if (line[0] === 0) {
      files = [];
      commits.set(line.toString('latin1', 1), files);
      file = undefined;
      return;
    }
    const text = line.toString('latin1');
    const hunk = hunkStart.exec(text);
    if (hunk !== null) {
      // A missing count means one line.
      const [oldCount, newCount] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
      file?.hunks.push({ oldStart: Number(hunk[1]), oldCount, newStart: Number(hunk[3]), newCount });
      left = oldCount + newCount;
    } else if (text.startsWith('diff --git ')) {
      file = { hunks: [], ...plainNames(line) };
      files.push(file);
    } else if (file !== undefined) nameFile(file, line, text);
  };
  for await (const lines of splitRecords(chunks, 10))
    for (const line of lines) {
      if (left > 0 && (line[0] === 43 || line[0] === 45)) left -= 1;
      else if (line[0] !== 92) outside(line);
    }
  return commits;
}

/** Both names of a file whose name did not change; further lines correct it where it did. */
function plainNames(line: Buffer): { oldPath?: string; newPath?: string } {
  const rest = line.subarray('diff --git '.length);
  const half = (rest.length - 1) / 2;
  const isQuoted = rest[0] === 34;
  const [first, second] = [rest.subarray(0, half), rest.subarray(half + 1)];
  const path = pathOf(first);
  if (!Number.isInteger(half) || path === undefined || path !== pathOf(second)) return {};
  return isQuoted === (second[0] === 34) ? { oldPath: path, newPath: path } : {};
}

function nameFile(file: OpenFile, line: Buffer, text: string): void {
  const rest = (word: string) => line.subarray(word.length);
  if (text.startsWith('--- ')) setPath(file, 'oldPath', pathOf(rest('--- ')));
  else if (text.startsWith('+++ ')) setPath(file, 'newPath', pathOf(rest('+++ ')));
  else if (text.startsWith('rename from ')) setPath(file, 'oldPath', unquoted(rest('rename from ')));
  else if (text.startsWith('rename to ')) setPath(file, 'newPath', unquoted(rest('rename to ')));
  else if (text.startsWith('new file mode ')) setPath(file, 'oldPath', undefined);
  else if (text.startsWith('deleted file mode ')) setPath(file, 'newPath', undefined);
}

function setPath(file: OpenFile, side: 'oldPath' | 'newPath', path: string | undefined): void {
  if (path === undefined) delete file[side];
  else file[side] = path;
}

/** Without the letter of its side; undefined for /dev/null. */
function pathOf(bytes: Buffer): string | undefined {
  // A name with a space has a tab behind it.
  const name = unquoted(bytes.at(-1) === 9 ? bytes.subarray(0, -1) : bytes);
  return /^[ab]\//.test(name) ? name.slice(2) : undefined;
}

const escapes: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 },
};

/** Names that hold unusual bytes stand in quotes, with the bytes by their numbers. */
function unquoted(bytes: Buffer): string {
  if (bytes[0] !== 34) return pathText(bytes);
  const out: number[] = [];
  const inner = bytes.toString('latin1', 1, bytes.length - 1);
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] !== '\\') {
      out.push(inner.charCodeAt(at));
      continue;
    }
    const octal = /^[0-7]{3}/.exec(inner.slice(at + 1, at + 4));
    out.push(octal === null ? (escapes[inner[at + 1] ?? ''] ?? 0) : Number.parseInt(octal[0], 8));
    at += octal === null ? 1 : 3;
  }
  return pathText(Buffer.from(out));
}
