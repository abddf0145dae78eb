// The lines of a file, however large, with a fixed amount of memory. A line longer than any CLI writes is skipped and counted.
import { type FileHandle, open } from 'node:fs/promises';
import { GalleyError } from '../../core/model/error.js';

const chunkBytes = 1 << 20;
/** Pictures stand in lines as text; nothing that belongs to a conversation is larger. */
const longestLine = 64 << 20;
const newline = 10;

export interface LineCounts {
  readonly lines: number;
  /** Too long to be a line of a session. */
  readonly skipped: number;
}

/** Where the line stands in the bytes, which are good until the listener returns; lines are counted from one. */
export type LineListener = (
  bytes: Buffer,
  place: { readonly from: number; readonly to: number; readonly line: number },
) => void;

export async function readLines(
  path: string,
  onLine: LineListener,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<LineCounts> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new GalleyError(
      'FILE_UNREADABLE',
      'The session file cannot be read: it is gone, or somebody else’s.',
      {
        cause,
      },
    );
  });
  try {
    return await walk(file, onLine, signal);
  } finally {
    await file.close();
  }
}

async function walk(
  file: FileHandle,
  onLine: LineListener,
  signal: AbortSignal | undefined,
): Promise<LineCounts> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let isTooLong = false;
  let lines = 0;
  let skipped = 0;
  const end = (from: number, to: number) => {
    lines += 1;
    if (isTooLong) skipped += 1;
    else if (pendingBytes === 0) onLine(chunk, { from, to, line: lines });
    else {
      const whole = Buffer.concat([...pending, chunk.subarray(from, to)]);
      onLine(whole, { from: 0, to: whole.length, line: lines });
    }
    pending = [];
    pendingBytes = 0;
    isTooLong = false;
  };
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) break;
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0 && at < bytesRead; at = chunk.indexOf(newline, start)) {
      end(start, at);
      start = at + 1;
    }
    if (start === bytesRead) continue;
    isTooLong ||= pendingBytes + bytesRead - start > longestLine;
    if (isTooLong) {
      pending = [];
      pendingBytes = longestLine;
    } else {
      pending.push(Buffer.from(chunk.subarray(start, bytesRead)));
      pendingBytes += bytesRead - start;
    }
  }
  if (pendingBytes > 0) end(0, 0);
  return { lines, skipped };
}
