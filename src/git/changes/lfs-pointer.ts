// The small text that Git LFS stores in place of a large file.
import type { LfsPointer } from './change-entry.js';

const version = 'version https://git-lfs.github.com/spec/v1';

export function parseLfsPointer(bytes: Buffer): LfsPointer | undefined {
  const text = bytes.toString('latin1');
  if (bytes.length > 1023 || !text.startsWith(`${version}\n`)) return undefined;
  const oid = /^oid (sha256:[0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d+)$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? undefined : { oid, size: Number(size) };
}

export function writeLfsPointer(pointer: LfsPointer): string {
  return `${version}\noid ${pointer.oid}\nsize ${pointer.size}\n`;
}
