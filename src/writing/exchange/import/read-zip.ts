// The files of a zip, by its directory at the end. Nothing is unpacked beyond what was promised and allowed: a file that says it
// is small and is not, one cut off, one whose sum is wrong and one that would leave the folder are refused or named.
import { crc32, inflateRawSync } from 'node:zlib';
import { GalleyError, type Warning } from '../../../core/model/error.js';
import { isProjectRelative } from '../../../core/model/fragment.js';
import { decodeText } from './decode-text.js';

export interface ZipFile {
  readonly path: string;
  /** Unpacks it, once. */
  read(): Uint8Array;
}

export interface ZipFiles {
  readonly files: readonly ZipFile[];
  readonly warnings: readonly Warning[];
}

const largestFile = 64 * 1024 * 1024;
const largestSum = 256 * 1024 * 1024;
const mostFiles = 20_000;

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const fileMark = 0x04034b50;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

export function readZip(bytes: Uint8Array, name: string): ZipFiles {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) throw broken(name, 'it is cut off, or no zip');
  const count = view.readUInt16LE(end + 10);
  if (count > mostFiles || count === 0xffff) throw broken(name, `it holds more than ${mostFiles} files`);
  const warnings: Warning[] = [];
  const files: ZipFile[] = [];
  let at = view.readUInt32LE(end + 16);
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    const entry = entryAt(view, at, name);
    at = entry.next;
    if (entry.path.endsWith('/')) continue;
    sum += entry.size;
    if (entry.size > largestFile || sum > largestSum)
      throw new GalleyError(
        'PAYLOAD_TOO_LARGE',
        `${name} would unpack to more than ${largestSum / 1024 / 1024} MB (or one file of it to more than ${largestFile / 1024 / 1024}); unpack it and import a part.`,
        { details: { path: name } },
      );
    if (!isProjectRelative(entry.path) || entry.isLink) {
      const why = entry.isLink ? 'it is a link' : 'its path leaves the folder';
      warnings.push({
        code: 'FILE_SKIPPED',
        message: `FILE_SKIPPED: one file of ${name} was left out: ${why}.`,
        details: { path: name },
      });
    } else files.push({ path: entry.path, read: () => unpack(view, entry, name) });
  }
  return { files, warnings };
}

function endOf(view: Buffer): number | undefined {
  // A comment of at most 65,535 bytes may follow.
  const lowest = Math.max(0, view.length - 22 - 0xffff);
  for (let at = view.length - 22; at >= lowest; at -= 1) if (view.readUInt32LE(at) === endMark) return at;
  return undefined;
}

interface Entry {
  readonly path: string;
  readonly isLink: boolean;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly size: number;
  readonly start: number;
  readonly next: number;
}

function entryAt(view: Buffer, at: number, name: string): Entry {
  if (at + 46 > view.length || view.readUInt32LE(at) !== entryMark)
    throw broken(name, 'its list of files is damaged');
  const flags = view.readUInt16LE(at + 8);
  const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.readUInt16LE(at + offset)) as [
    number,
    number,
    number,
  ];
  const bytes = view.subarray(at + 46, at + 46 + nameLength);
  return {
    path: decodeText(bytes, name).text.replaceAll('\\', '/'),
    isLink: ((view.readUInt32LE(at + 38) >>> 16) & 0o170000) === 0o120000,
    isEncrypted: (flags & 1) !== 0,
    method: view.readUInt16LE(at + 10),
    sum: view.readUInt32LE(at + 16),
    packed: view.readUInt32LE(at + 20),
    size: view.readUInt32LE(at + 24),
    start: view.readUInt32LE(at + 42),
    next: at + 46 + nameLength + extra + comment,
  };
}

function unpack(view: Buffer, entry: Entry, name: string): Uint8Array {
  if (entry.isEncrypted) throw broken(name, 'it is locked with a password');
  const { start, packed, size, method } = entry;
  if (start + 30 > view.length || view.readUInt32LE(start) !== fileMark) throw broken(name, 'it is damaged');
  const from = start + 30 + view.readUInt16LE(start + 26) + view.readUInt16LE(start + 28);
  if (from + packed > view.length) throw broken(name, 'it is cut off');
  const data = view.subarray(from, from + packed);
  const content = method === 0 ? data : method === 8 ? inflated(data, size, name) : undefined;
  if (content === undefined) throw broken(name, 'it is packed in a way that is not known here');
  if (content.length !== size || crc32(content) !== entry.sum)
    throw broken(name, 'a file in it is damaged, or not of the size it says');
  return content;
}

function inflated(data: Buffer, size: number, name: string): Uint8Array {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  } catch (cause) {
    throw broken(name, 'a file in it is damaged, or not of the size it says', cause);
  }
}

function broken(name: string, why: string, cause?: unknown): GalleyError {
  return new GalleyError('FILE_UNREADABLE', `${name} cannot be read: ${why}.`, {
    details: { path: name },
    cause,
  });
}
