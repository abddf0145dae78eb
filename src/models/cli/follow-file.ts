// Output by way of a file. A CLI that exits at once loses what a pipe has not taken yet; a file takes everything.
import { closeSync, openSync, readSync } from 'node:fs';

export interface FollowedFile {
  /** For the process to write to. */
  readonly descriptor: number;
  /** Reads the rest and lets go. */
  finish(): void;
}

const chunkBytes = 64 * 1024;
const lookEveryMs = 40;

export function followFile(path: string, onChunk: (chunk: Buffer) => void): FollowedFile {
  const descriptor = openSync(path, 'wx', 0o600);
  const reading = openSync(path, 'r');
  const read = (mostChunks: number) => {
    for (let count = 0; count < mostChunks; count += 1) {
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
