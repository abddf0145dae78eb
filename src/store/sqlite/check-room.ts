// May something be written to this file, and is there room for it? Asked of the file system, without writing.
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { GalleyError } from '../../core/model/error.js';

/** Less than this does not take one change and its journal. */
const leastBytes = 256 * 1024;

export async function checkRoom(location: string, space: typeof statfs = statfs): Promise<void> {
  if (location === ':memory:') return;
  await access(location, constants.W_OK).catch((cause: unknown) => {
    throw unavailable(
      'The store cannot be written; check who may write its file, or name another place.',
      cause,
    );
  });
  // Some file systems do not tell; then only a write does.
  const room = await space(location).catch(() => undefined);
  if (room !== undefined && room.blocks > 0 && room.bavail * room.bsize < leastBytes)
    throw unavailable('The disk under the store is full; make room and try again.');
}

function unavailable(message: string, cause?: unknown): GalleyError {
  return new GalleyError('STORE_UNAVAILABLE', message, { cause });
}
