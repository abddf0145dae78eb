// The folders a server or worker was started for, as the file system names them.
import { realpathSync } from 'node:fs';
import { GalleyError } from '../core/model/error.js';

export function realRoots(roots: readonly string[]): readonly string[] {
  return roots.map(realRoot);
}

export function realRoot(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new GalleyError('CONFIG_INVALID', 'A folder given with --root does not exist.', { cause });
  }
}
