// Cuts a stream of git patches into files and hunks. A hunk ends when its counters are used up, never by what a line looks like;
// lines end at \n only; memory is bounded by the largest file's patch.

export interface ParsedHunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly heading: Buffer;
  readonly body: Buffer;
  readonly added: number;
  readonly removed: number;
  /** Changed lines that end with a carriage return. */
  readonly addedReturns: number;
  readonly removedReturns: number;
}

export interface ParsedPatch {
  /** The lines before the first hunk, without line ends. */
  readonly header: readonly Buffer[];
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
const fileStart = Buffer.from('diff --git ');
const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export async function* parsePatches(chunks: AsyncIterable<Buffer>): AsyncGenerator<ParsedPatch> {
  const done: ParsedPatch[] = [];
  let header: Buffer[] | undefined;
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
    } else if (line.subarray(0, fileStart.length).equals(fileStart)) {
      closeFile();
      header = [Buffer.from(line)];
    } else header?.push(Buffer.from(line));
  };

  for await (const whole of chunks) {
    let chunk = whole;
    if (held.length > 0) {
      const end = chunk.indexOf(newline);
      if (end === -1) {
        held.push(chunk);
        continue;
      }
      chunk = Buffer.concat([...held, chunk]);
      held = [];
    }
    let from = 0;
    let bodyFrom = 0;
    let end = chunk.indexOf(newline);
    while (end !== -1) {
      const sign = chunk[from];
      if (hunk !== undefined && (hunk.oldLeft > 0 || hunk.newLeft > 0 || sign === backslash)) {
        count(hunk, sign, chunk[end - 1] === carriageReturn);
      } else {
        if (hunk !== undefined && bodyFrom < from) hunk.parts.push(chunk.subarray(bodyFrom, from));
        outside(chunk.subarray(from, end));
        bodyFrom = end + 1;
      }
      from = end + 1;
      end = chunk.indexOf(newline, from);
    }
    if (hunk !== undefined && bodyFrom < from) hunk.parts.push(chunk.subarray(bodyFrom, from));
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
  // A copy: a slice would keep the whole chunk of the stream alive.
  return { ...facts, body: Buffer.concat(parts) };
}
