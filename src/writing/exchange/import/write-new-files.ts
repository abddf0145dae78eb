// Writes files that were not there before, whole or not at all: first under another name, then linked into place, which fails
// where something stands. No link of the folder is followed out of it.
import { constants } from 'node:fs';
import { copyFile, link, lstat, open, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { isProjectRelative } from '../../../core/model/fragment.js';
import { placeFor } from '../../folder/write-within.js';

/** What stands at a path: nothing, these very bytes, or something else. */
export async function standing(
  folder: string,
  path: string,
  text: string,
): Promise<'free' | 'same' | 'other'> {
  const place = join(folder, path);
  const found = await lstat(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw notWritten(path, error);
  });
  if (found === undefined) return 'free';
  const bytes = Buffer.from(text);
  if (!found.isFile() || found.size !== bytes.length) return 'other';
  return bytes.equals(await readFile(place)) ? 'same' : 'other';
}

interface NewFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

export async function writeNewFile(folder: string, { path, content }: NewFile): Promise<void> {
  if (!isProjectRelative(path)) throw notWritten('A file of the import');
  const place = await placeFor(folder, path).catch((error: unknown) => {
    throw notWritten(path, isGalleyError(error) ? error.cause : error);
  });
  const draft = join(dirname(place), `.galley-${process.pid}-${nextDraft()}.tmp`);
  try {
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Some file systems have no links; copying refuses what exists as well.
    await link(draft, place).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      await copyFile(draft, place, constants.COPYFILE_EXCL);
    });
  } catch (cause) {
    throw notWritten(path, cause);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

let drafts = 0;
const nextDraft = () => {
  drafts += 1;
  return drafts;
};

function notWritten(path: string, cause?: unknown): GalleyError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EEXIST')
    return new GalleyError(
      'ALREADY_EXISTS',
      `${path} appeared meanwhile and was not written over; import again.`,
      {
        details: { path },
        cause,
      },
    );
  const why = code === 'ENOSPC' ? 'the disk is full' : 'check the rights of this folder';
  return new GalleyError('STORE_UNAVAILABLE', `${path} cannot be written; ${why}.`, {
    details: { path },
    cause,
  });
}
