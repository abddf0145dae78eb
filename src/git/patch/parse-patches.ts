// Cuts a stream of git patches into files and hunks. A hunk ends when its counters are used up, never by what a line looks like;
// lines end at \n only; memory is bounded by the largest file's patch.

import type { Hunk } from './patch.js';

export interface ParsedHunk extends Hunk {
  /** Changed lines that end with a carriage return. */
  readonly addedReturns: number;
  readonly removedReturns: number;
}

export interface ParsedPatch {
  /** The lines before the first hunk, without line ends. */
  readonly header: readonly string[];
  readonly hunks: ParsedHunk[];
}

interface OpenHunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  heading: Buffer;
  oldLeft: number;
  newLeft: number;
  parts: Buffer[];
  added: number;
  removed: number;
  addedReturns: number;
  removedReturns: number;
}

const [newline, space, plus, minus, backslash, at, carriageReturn] = [10, 32, 43, 45, 92, 64, 13];
const fileStart = 'diff --git ';
const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export async function* parsePatches(chunks: AsyncIterable<Buffer>): AsyncGenerator<ParsedPatch> {
  const done: ParsedPatch[] = [];
  let header: string[] | undefined;
  let hunks: ParsedHunk[] = [];
  let hunk: OpenHunk | undefined;
  let held: Buffer[] = [];

  const closeHunk = () => {
    if (hunk !== undefined) hunks.push(sealed(hunk));
    hunk = undefined;
  };
  const closeFile = () => {
    closeHunk();
    if (header !== undefined) done.push({ header, hunks });
    header = undefined;
    hunks = [];
  };
  const outside = (line: Buffer) => {
    if (line[0] === at && header !== undefined) {
      closeHunk();
      hunk = opened(line);
    } else {
      const text = line.toString('latin1');
      if (text.startsWith(fileStart)) {
        closeFile();
        header = [text];
      } else header?.push(text);
    }
  };
  /** One complete line, its line end at `end`; tells whether it belongs to the open hunk. */
  const inside = (chunk: Buffer, from: number, end: number): boolean => {
    const sign = chunk[from];
    if (hunk === undefined || (hunk.oldLeft <= 0 && hunk.newLeft <= 0 && sign !== backslash)) return false;
    count(hunk, sign, chunk[end - 1] === carriageReturn);
    return true;
  };

  for await (const chunk of chunks) {
    let from = 0;
    let end = chunk.indexOf(newline);
    if (held.length > 0 && end !== -1) {
      const line = Buffer.concat([...held, chunk.subarray(0, end + 1)]);
      held = [];
      if (inside(line, 0, line.length - 1)) hunk?.parts.push(line);
      else outside(line.subarray(0, -1));
      from = end + 1;
      end = chunk.indexOf(newline, from);
    }
    let bodyFrom = from;
    while (end !== -1) {
      if (!inside(chunk, from, end)) {
        if (bodyFrom < from) hunk?.parts.push(chunk.subarray(bodyFrom, from));
        outside(chunk.subarray(from, end));
        bodyFrom = end + 1;
      }
      from = end + 1;
      end = chunk.indexOf(newline, from);
    }
    if (bodyFrom < from) hunk?.parts.push(chunk.subarray(bodyFrom, from));
    if (from < chunk.length) held.push(chunk.subarray(from));
    yield* done.splice(0);
  }
  closeFile();
  yield* done;
}

function opened(line: Buffer): OpenHunk | undefined {
  const match = hunkStart.exec(line.toString('latin1', 0, 100));
  if (match === null) return undefined;
  // A missing count means one line.
  const oldCount = Number(match[2] ?? 1);
  const newCount = Number(match[4] ?? 1);
  return {
    oldStart: Number(match[1]),
    oldCount,
    newStart: Number(match[3]),
    newCount,
    heading: Buffer.from(line.subarray(match[0].length)),
    oldLeft: oldCount,
    newLeft: newCount,
    parts: [],
    added: 0,
    removed: 0,
    addedReturns: 0,
    removedReturns: 0,
  };
}

function count(hunk: OpenHunk, sign: number | undefined, returns: boolean): void {
  if (sign === plus) {
    hunk.newLeft -= 1;
    hunk.added += 1;
    if (returns) hunk.addedReturns += 1;
  } else if (sign === minus) {
    hunk.oldLeft -= 1;
    hunk.removed += 1;
    if (returns) hunk.removedReturns += 1;
  } else if (sign === space || sign === newline) {
    hunk.oldLeft -= 1;
    hunk.newLeft -= 1;
  }
}

function sealed(hunk: OpenHunk): ParsedHunk {
  const { oldLeft, newLeft, parts, ...facts } = hunk;
  return { ...facts, body: parts.length === 1 ? parts[0]! : Buffer.concat(parts) };
}
