// The few things drafts and history do to a disk, each one whole or not at all as far as a disk allows. Tests stand in for it: a full
// one, one whose process dies at any call.
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Disk {
  /** Undefined where there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  list(folder: string): Promise<readonly string[]>;
  /** Written and flushed; the folder is made. */
  write(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** False where the file is there already. */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Behind what is there, flushed. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  /** Takes the place of what is there, and the folder is flushed. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Milliseconds since the file was last written; undefined where there is none. */
  age(path: string): Promise<number | undefined>;
}

const isGone = (error: unknown) => (error as { code?: string }).code === 'ENOENT';

async function unlessGone<T, Other>(work: Promise<T>, otherwise: Other): Promise<T | Other> {
  return work.catch((error: unknown) => {
    if (isGone(error)) return otherwise;
    throw error;
  });
}

async function flushed(path: string, flags: string, bytes: Uint8Array, mode = 0o666): Promise<void> {
  const handle = await inFolder(path, () => open(path, flags, mode));
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Folders are made when they turn out to be missing. */
async function inFolder(path: string, work: () => Promise<FileHandle>): Promise<FileHandle> {
  try {
    return await work();
  } catch (error) {
    if (!isGone(error)) throw error;
    await mkdir(dirname(path), { recursive: true });
    return work();
  }
}

/** Some systems do not flush folders; the file itself is safe. */
async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

export const realDisk: Disk = {
  read: (path) => unlessGone(readFile(path), undefined),
  list: (folder) => unlessGone(readdir(folder), []),
  write: (path, bytes, mode) => flushed(path, 'w', bytes, mode),
  create: async (path, bytes) => {
    try {
      await flushed(path, 'wx', bytes);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === 'EEXIST') return false;
      throw error;
    }
  },
  append: (path, bytes) => flushed(path, 'a', bytes),
  rename: async (from, to) => {
    await rename(from, to);
    await flushFolder(dirname(to));
  },
  remove: (path) => rm(path, { force: true }),
  age: async (path) => {
    const found = await unlessGone(stat(path), undefined);
    return found === undefined ? undefined : Math.max(0, Date.now() - found.mtimeMs);
  },
};
