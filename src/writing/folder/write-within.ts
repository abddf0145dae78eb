// Changes a file of a folder: a temporary file beside it, synced, then renamed over it, so that a reader sees the old file or the
// new one. No link leads out, and what somebody else changed meanwhile is never overwritten.
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { isProjectRelative } from '../../core/model/fragment.js';
import { readWithin, unreadable } from './read-within.js';

const mostBytes = 16 * 1024 * 1024;
const mostTries = 5;

/** Gets the file as it stands, byte order mark and line breaks included, and undefined where there is none. */
export type FileChange = (text: string | undefined) => string | undefined;

/** An answer of undefined takes the file away; the same text writes nothing. Says whether anything changed. */
export async function changeFile(folder: string, path: string, change: FileChange): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await readRaw(folder, path);
    const after = change(before);
    if (after === before) return false;
    if (await replaceFile(folder, path, { before, after })) return true;
  }
  throw new GalleyError('STORE_BUSY', `${path} was changed by somebody else meanwhile; try again.`, {
    details: { path },
  });
}

async function replaceFile(
  folder: string,
  path: string,
  { before, after }: { before: string | undefined; after: string | undefined },
): Promise<boolean> {
  const place = await placeFor(folder, path);
  const draft = join(dirname(place), `.${basename(place)}.${randomUUID()}.tmp`);
  try {
    if (after !== undefined) await writeDraft(draft, after, place);
    if ((await readRaw(folder, path)) !== before) return false;
    if (after === undefined) await rm(place);
    else await rename(draft, place);
    await syncFolder(dirname(place));
    return true;
  } catch (error) {
    throw isGalleyError(error) ? error : unwritable(path, error);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function writeDraft(draft: string, text: string, place: string): Promise<void> {
  const mode = (await lstat(place).catch(() => undefined))?.mode;
  const handle = await open(draft, 'wx', mode === undefined ? 0o666 : mode & 0o777);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Some systems refuse to sync a folder; the file itself is safe by then. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function readRaw(folder: string, path: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readWithin(folder, path, { mostBytes });
  } catch (error) {
    const cause = isGalleyError(error) ? (error.cause as { code?: string } | undefined) : undefined;
    if (cause?.code === 'ENOENT' && !(await isLink(join(folder, path)))) return undefined;
    throw error;
  }
  try {
    if (bytes.includes(0)) throw new TypeError();
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(path, 'it is not valid UTF-8; save it as UTF-8', cause);
  }
}

async function isLink(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined))?.isSymbolicLink() === true;
}

/** Where the file is or will be, its folders made. */
export async function placeFor(folder: string, path: string): Promise<string> {
  if (!isProjectRelative(path)) throw leavesFolder(path);
  try {
    const root = await realpath(folder);
    const isInside = (place: string) => `${place}${sep}`.startsWith(root.endsWith(sep) ? root : root + sep);
    // Nothing is made before every link on the way is known to stay inside.
    let parent = root;
    for (const step of path.split('/').slice(0, -1)) {
      const next = join(parent, step);
      const real = await realpath(next).catch(() => undefined);
      if (real === undefined && (await isLink(next))) throw leavesFolder(path);
      if (real === undefined) await mkdir(next, { recursive: true });
      parent = real ?? next;
      if (!isInside(parent)) throw leavesFolder(path);
    }
    const place = join(parent, basename(path));
    const real = await realpath(place).catch(() => place);
    if (!isInside(real)) throw leavesFolder(path);
    return real;
  } catch (error) {
    throw isGalleyError(error) ? error : unwritable(path, error);
  }
}

function leavesFolder(path: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${path} is a link that leaves the working folder.`, {
    details: { path },
  });
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'the system allows no file of that size',
  EROFS: 'the disk may only be read',
};

export function unwritable(path: string, cause: unknown): GalleyError {
  const code = (cause as { code?: string } | undefined)?.code ?? '';
  const why = reasons[code] ?? 'check the rights of this folder';
  return new GalleyError('STORE_UNAVAILABLE', `${path} cannot be written: ${why}. Nothing was changed.`, {
    details: { path },
    cause,
  });
}
