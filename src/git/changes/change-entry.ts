// One changed path, and git's NUL-separated raw records, the only place where paths, modes and ids come from.
import { isUtf8 } from 'node:buffer';
import { pathText, splitRecords } from '../process/records.js';

export type EntryStatus =
  | 'added'
  | 'modified'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type-changed'
  | 'unmerged'
  | 'mode-changed';

export type EntryKind = 'file' | 'symlink' | 'submodule' | 'lfs-pointer';

export interface LfsPointer {
  readonly oid: string;
  readonly size: number;
}

export interface ChangeEntry {
  /** Bytes that are not UTF-8 are written as \xNN; `rawPath` then holds the true bytes. */
  readonly path: string;
  readonly rawPath?: Buffer;
  readonly oldPath?: string;
  readonly rawOldPath?: Buffer;
  readonly status: EntryStatus;
  readonly kind: EntryKind;
  /** Percent, for renames and copies. */
  readonly similarity?: number;
  readonly oldMode?: string;
  readonly newMode?: string;
  /** For submodules the commit. */
  readonly oldBlob?: string;
  readonly newBlob?: string;
  /** In bytes; absent for submodules and for objects that are not here. */
  readonly oldSize?: number;
  readonly newSize?: number;
  /** A side's content is not in this (partial) clone, so no patch can be made. */
  readonly missing: boolean;
  /** The submodule's own working tree has changes that no commit holds. */
  readonly dirty: boolean;
  readonly lfs?: { readonly old?: LfsPointer; readonly new?: LfsPointer };
}

/** What a raw record says by itself, before sizes and contents are known. */
export type RawEntry = Omit<ChangeEntry, 'missing' | 'dirty' | 'lfs' | 'oldSize' | 'newSize'>;

interface Head {
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldBlob: string;
  readonly newBlob: string;
  readonly letter: string;
  readonly score: string;
}

const headPattern = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])(\d*)$/;

/** Reads git's NUL-separated raw records: the only place where paths, modes and ids come from. */
export async function readRawRecords(chunks: AsyncIterable<Buffer>): Promise<RawEntry[]> {
  const entries: RawEntry[] = [];
  let head: Head | undefined;
  let first: Buffer | undefined;
  for await (const records of splitRecords(chunks)) {
    for (const record of records) {
      if (head === undefined) {
        head = parseHead(record);
      } else if (first === undefined && (head.letter === 'R' || head.letter === 'C')) {
        first = Buffer.from(record);
      } else {
        entries.push(rawEntry(head, record, first));
        head = undefined;
        first = undefined;
      }
    }
  }
  return entries;
}

function parseHead(record: Buffer): Head | undefined {
  const match = headPattern.exec(record.toString('latin1'));
  if (match === null) return undefined;
  const [, oldMode = '', newMode = '', oldBlob = '', newBlob = '', letter = '', score = ''] = match;
  return { oldMode, newMode, oldBlob, newBlob, letter, score };
}

function rawEntry(head: Head, path: Buffer, oldPath: Buffer | undefined): RawEntry {
  const mode = head.newMode === '000000' ? head.oldMode : head.newMode;
  return {
    ...named('path', 'rawPath', path),
    ...(oldPath === undefined ? {} : named('oldPath', 'rawOldPath', oldPath)),
    status: statusOf(head),
    kind: kindOf(mode),
    ...(oldPath === undefined ? {} : { similarity: Number(head.score) }),
    ...(head.oldMode === '000000' ? {} : { oldMode: head.oldMode, oldBlob: head.oldBlob }),
    ...(head.newMode === '000000' ? {} : { newMode: head.newMode, newBlob: head.newBlob }),
  } as RawEntry;
}

function named(name: string, rawName: string, bytes: Buffer): Record<string, string | Buffer> {
  const text = pathText(bytes);
  return isUtf8(bytes) ? { [name]: text } : { [name]: text, [rawName]: Buffer.from(bytes) };
}

export function kindOf(mode: string): 'file' | 'symlink' | 'submodule' {
  return mode === '120000' ? 'symlink' : mode === '160000' ? 'submodule' : 'file';
}

function statusOf(head: Head): EntryStatus {
  switch (head.letter) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'renamed';
    case 'C':
      return 'copied';
    case 'T':
      return 'type-changed';
    case 'U':
      return 'unmerged';
    default:
      return head.oldBlob === head.newBlob && head.oldMode !== head.newMode ? 'mode-changed' : 'modified';
  }
}
