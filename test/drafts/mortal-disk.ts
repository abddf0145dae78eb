// A disk whose process may die at any call, in the middle of a write too, and one that is full. Nothing is flushed: what a process
// wrote before it died is there.
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Disk } from '../../src/writing/folder/disk.js';
import type { LockOwner } from '../../src/writing/folder/folder-lock.js';

/** Nothing of Galley's: no part of it may take it for a refusal. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export interface Mortal {
  readonly disk: Disk;
  readonly owner: LockOwner;
  /** Dies at the n-th call from now on; `part` of what that call writes is written. */
  dieAt(n: number, part: number): void;
  /** Runs before the n-th call from now on that writes something beside the chapter. */
  meanwhile(n: number, work: () => Promise<void>): void;
  readonly isDead: boolean;
}

const alive = new Set<string>();
let born = 0;

const isSigned = (bytes: Uint8Array) => bytes.at(-1) === '#'.charCodeAt(0);

const gone = (error: unknown) => (error as { code?: string }).code === 'ENOENT';

export function mortal(): Mortal {
  born += 1;
  // A part of one is none: it ends with its sign.
  const mark = `${born}#`;
  alive.add(mark);
  let dies = Number.POSITIVE_INFINITY;
  let written = 1;
  let interrupts = Number.POSITIVE_INFINITY;
  let interruption = async () => {};
  const call = async <T>(kind: string, work: (part: number) => Promise<T>): Promise<T> => {
    if (!alive.has(mark)) throw new Killed();
    if (kind !== 'rename') interrupts -= 1;
    if (interrupts === 0) await interruption();
    dies -= 1;
    if (dies > 0) return work(1);
    alive.delete(mark);
    if (kind === 'write') await work(written);
    throw new Killed();
  };
  const cut = (bytes: Uint8Array, part: number) => bytes.subarray(0, Math.floor(bytes.length * part));
  const inFolder = async (path: string, work: () => Promise<void>) => {
    await mkdir(dirname(path), { recursive: true });
    await work();
  };
  const disk: Disk = {
    read: (path) =>
      call('read', () =>
        readFile(path).catch((error: unknown) => {
          if (gone(error)) return undefined;
          throw error;
        }),
      ),
    list: (folder) => call('read', () => readdir(folder).catch(() => [])),
    write: (path, bytes, mode) =>
      call('write', (part) => inFolder(path, () => writeFile(path, cut(bytes, part), { mode }))),
    create: (path, bytes) =>
      call('write', async (part) => {
        try {
          await inFolder(path, () => writeFile(path, cut(bytes, part), { flag: 'wx' }));
          return true;
        } catch (error) {
          if ((error as { code?: string }).code === 'EEXIST') return false;
          throw error;
        }
      }),
    append: (path, bytes) =>
      call('write', (part) => inFolder(path, () => appendFile(path, cut(bytes, part)))),
    rename: (from, to) => call('rename', () => rename(from, to)),
    remove: (path) => call('remove', () => rm(path, { force: true })),
    age: (path) =>
      call('read', async () => {
        const found = await stat(path).catch(() => undefined);
        // A lock without a name was left by one that died while it wrote it.
        return found === undefined ? undefined : isSigned(await readFile(path)) ? 0 : 60_000;
      }),
  };
  return {
    disk,
    owner: { mark, isAlive: (other) => alive.has(other) },
    dieAt: (n, part) => {
      dies = n;
      written = part;
    },
    meanwhile: (n, work) => {
      interrupts = n;
      interruption = work;
    },
    get isDead() {
      return !alive.has(mark);
    },
  };
}

/** Has no room from the n-th write on. */
export function fullDisk(disk: Disk, from: number): Disk {
  let writes = 0;
  const full = async <T>(work: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes < from) return work();
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  };
  return {
    ...disk,
    write: (path, bytes, mode) => full(() => disk.write(path, bytes, mode)),
    append: (path, bytes) => full(() => disk.append(path, bytes)),
  };
}
