// Data of packages that judge the stand-in: read when they are first needed, and not part of what is installed with Galley.
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';

/** Packages often do not export their data, so the file is looked for where packages are. */
export async function packageData(name: string, file: string): Promise<string> {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const path = join(folder, name, file);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new GalleyError(
    'FORGE_NOT_CONFIGURED',
    `The loopback forge judges by ${name}; install it beside galley.`,
  );
}
