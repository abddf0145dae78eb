// A file of the working tree, read without leaving the repository: links give their text and are never followed.
import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { isProjectRelative } from '../../core/model/fragment.js';
import type { Repository } from '../repository/open-repository.js';

export type WorkingFile =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly executable: boolean }
  | { readonly kind: 'symlink'; readonly target: Buffer }
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'folder' }
  | { readonly kind: 'absent' };

export async function readWorkingFile(
  repository: Repository,
  path: string,
  limits: { readonly maxBytes: number },
): Promise<WorkingFile> {
  const { topLevel } = repository;
  if (topLevel === undefined) throw unreadable('a bare repository has no working tree');
  if (!isProjectRelative(path) || path.includes('\0'))
    throw unreadable('the path leads out of the repository');
  if (path.split('/').some((part) => part.toLowerCase() === '.git'))
    throw unreadable('git keeps its own data there');
  const full = join(topLevel, path);
  const facts = await lstat(full).catch(absent);
  if (facts === undefined) return { kind: 'absent' };
  // A linked folder on the way would lead elsewhere; git does not look behind one either.
  const folder = await realpath(dirname(full));
  if (folder !== dirname(join(await realpath(topLevel), path)))
    throw unreadable('a folder on the way is a link');
  if (facts.isSymbolicLink())
    return { kind: 'symlink', target: await readlink(full, { encoding: 'buffer' }) };
  if (facts.isDirectory()) return { kind: 'folder' };
  if (!facts.isFile()) throw unreadable('it is neither a file nor a link');
  return facts.size > limits.maxBytes
    ? { kind: 'too-large', size: facts.size }
    : readFile(full, facts, limits.maxBytes);
}

async function readFile(full: string, facts: Stats, maxBytes: number): Promise<WorkingFile> {
  const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: unknown) => {
    throw unreadable('it could not be opened', cause);
  });
  try {
    // One byte more than allowed, so that a file that grew meanwhile is noticed.
    const buffer = Buffer.alloc(Math.min(maxBytes, facts.size) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > facts.size) throw unreadable('it is being written to');
    return { kind: 'file', bytes: buffer.subarray(0, length), executable: (facts.mode & 0o100) !== 0 };
  } finally {
    await handle.close();
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw unreadable('it could not be looked at', error);
}

function unreadable(reason: string, cause?: unknown): GalleyError {
  return new GalleyError('FILE_UNREADABLE', `A file of the working tree was not read: ${reason}.`, { cause });
}
