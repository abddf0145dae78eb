// How the output of a process arrives: as lines, however its chunks are cut, through a file where a pipe would lose the end.

import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

interface LineSplitter {
  /** False when a line has outgrown the limit. */
  push(chunk: Buffer): boolean;
  /** The last line, which may lack its end. */
  end(): void;
}

export function splitLines(maxCharacters: number, onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let held = 0;
  let overgrown = false;
  const finish = () => {
    const line = parts.join('');
    parts = [];
    held = 0;
    if (line !== '') onLine(line);
  };
  const hold = (text: string) => {
    if (text === '') return;
    parts.push(text);
    held += text.length;
    if (held > maxCharacters) {
      overgrown = true;
      parts = [];
    }
  };
  return {
    push(chunk) {
      if (overgrown) return false;
      const lines = decoder.write(chunk).split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) {
        hold(line);
        if (overgrown) return false;
        finish();
      }
      hold(last);
      return !overgrown;
    },
    end() {
      if (overgrown) return;
      hold(decoder.end());
      if (!overgrown) finish();
    },
  };
}

interface FollowedFile {
  /** For the process to write to. */
  readonly descriptor: number;
  /** Reads the rest and lets go. */
  finish(): void;
}

const chunkBytes = 64 * 1024;
const lookEveryMs = 40;

/** Output by way of a file. A CLI that exits at once loses what a pipe has not taken yet; a file takes everything. */
export function followFile(path: string, onChunk: (chunk: Buffer) => void): FollowedFile {
  const descriptor = openSync(path, 'wx', 0o600);
  const reading = openSync(path, 'r');
  const read = (maxChunks: number) => {
    for (let count = 0; count < maxChunks; count += 1) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const length = readSync(reading, buffer, 0, chunkBytes, null);
      if (length === 0) return;
      onChunk(buffer.subarray(0, length));
    }
  };
  const timer = setInterval(() => read(256), lookEveryMs);
  return {
    descriptor,
    finish() {
      clearInterval(timer);
      read(Number.POSITIVE_INFINITY);
      closeSync(reading);
      closeSync(descriptor);
    },
  };
}
