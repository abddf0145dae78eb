// Files packed into one, the same bytes for the same files: no clock, and the order they are given in.
import { type Zippable, zipSync } from 'fflate';

export interface PackedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Stored as it is: readers look for it at a fixed place. */
  readonly isStored?: boolean;
}

/** The first day that the format knows. */
const dayOne = new Date(1980, 0, 1);

export function packZip(files: readonly PackedFile[]): Uint8Array {
  const entries: Zippable = {};
  for (const { path, content, isStored } of files) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    entries[path] = [bytes, { level: isStored === true ? 0 : 6, mtime: dayOne }];
  }
  return zipSync(entries);
}

/** XML 1.0 has no place for these; no reader of books shows them either. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu;

export function xmlText(text: string): string {
  return text.toWellFormed().replace(notInXml, '');
}
