// Reads a file of a folder: the path is relative, no link leads out, nothing but a regular file is opened, and never too much.
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { isProjectRelative } from '../../core/model/fragment.js';

export interface ReadLimit {
  readonly mostBytes: number;
  /** Named when the path is refused. */
  readonly field?: string;
}

export async function readWithin(
  folder: string,
  path: string,
  { mostBytes, field = 'path' }: ReadLimit,
): Promise<Uint8Array> {
  if (!isProjectRelative(path)) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${field}: must be relative to the working folder and stay inside it.`,
      {
        details: { field },
      },
    );
  }
  const place = await placeWithin(folder, path, field);
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK a named pipe would keep us waiting.
    handle = await open(place, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await regularFile(handle, path);
    if (size > mostBytes) throw unreadable(path, `it is larger than ${mostBytes} bytes; split it`);
    return await readAll(handle, path, { size, mostBytes });
  } catch (error) {
    if (error instanceof GalleyError) throw error;
    throw unreadable(path, 'the system refused to open it; check that it exists and may be read', error);
  } finally {
    await handle?.close();
  }
}

async function placeWithin(folder: string, path: string, field: string): Promise<string> {
  let root: string;
  let place: string;
  try {
    root = await realpath(folder);
    place = await realpath(join(root, path));
  } catch (cause) {
    throw unreadable(path, 'it does not exist or may not be read', cause);
  }
  if (place.startsWith(root.endsWith(sep) ? root : root + sep)) return place;
  throw new GalleyError('INVALID_ARGUMENT', `${field}: ${path} is a link that leaves the working folder.`, {
    details: { field, path },
  });
}

async function regularFile(handle: FileHandle, path: string): Promise<{ size: number }> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw unreadable(path, 'it is not a regular file');
  return stat;
}

/** A file may grow while it is read; what is beyond the limit is never taken in. */
async function readAll(
  handle: FileHandle,
  path: string,
  { size, mostBytes }: { size: number; mostBytes: number },
): Promise<Uint8Array> {
  const buffer = new Uint8Array(size + 1);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
  }
  throw unreadable(path, filled > mostBytes ? 'it is too large' : 'it changes while it is read; try again');
}

export function unreadable(path: string, why: string, cause?: unknown): GalleyError {
  return new GalleyError('FILE_UNREADABLE', `${path} cannot be read: ${why}.`, { details: { path }, cause });
}
