// How do an SQLite binding's errors become ours? By result code; their messages may hold paths and stay behind.

import { GalleyError, isGalleyError, toGalleyError } from '../../core/model/error.js';
import type { ErrorCode } from '../../core/model/error-table.js';

const unavailable = 'The store cannot be written or opened; check its file, its folder and the free space.';

const refusals: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  3: ['STORE_UNAVAILABLE', unavailable],
  5: ['STORE_BUSY', 'The store is locked by another process; try again.'],
  6: ['STORE_BUSY', 'The store is locked by another call; try again.'],
  7: ['STORE_UNAVAILABLE', 'The store ran out of memory; close other programs and try again.'],
  8: ['STORE_UNAVAILABLE', 'The store is read-only; make its file and folder writable to change it.'],
  10: ['STORE_UNAVAILABLE', 'The disk failed under the store; check the disk and try again.'],
  11: ['STORE_CORRUPT', 'The store is damaged; restore its file from a copy or name another one.'],
  13: ['STORE_UNAVAILABLE', 'The disk under the store is full; make room and try again.'],
  14: ['STORE_UNAVAILABLE', unavailable],
  22: ['STORE_UNAVAILABLE', unavailable],
  23: ['STORE_UNAVAILABLE', unavailable],
  26: ['STORE_CORRUPT', 'The file is not a Galley store; name another one.'],
};

/** Primary result code of a binding's error, whichever way the binding spells it. */
function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { rawCode, errcode, message } = error as { rawCode?: unknown; errcode?: unknown; message?: unknown };
  if (typeof rawCode === 'number') return rawCode & 0xff;
  if (typeof errcode === 'number') return errcode & 0xff;
  const opening = /Unable to open connection to local database.*: (\d+)"/s.exec(String(message));
  return opening === null ? undefined : Number(opening[1]) & 0xff;
}

export function toStoreRefusal(error: unknown): GalleyError {
  if (isGalleyError(error)) return error;
  const code = resultCode(error);
  const refusal = code === undefined ? undefined : refusals[code];
  if (code === undefined || refusal === undefined) return toGalleyError(error);
  return new GalleyError(refusal[0], refusal[1], { details: { sqlite: code }, cause: error });
}

export function isBusy(error: unknown): boolean {
  return isGalleyError(error) && error.code === 'STORE_BUSY';
}
