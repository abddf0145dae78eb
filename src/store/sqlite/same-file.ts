// Is the open file still the one at its place? A file that was removed or replaced takes writes as before, and loses them.
import { statSync } from 'node:fs';
import { GalleyError } from '../../core/model/error.js';

export function sameFile(location: string): () => void {
  const opened = identityOf(location);
  if (opened === undefined) return () => undefined;
  return () => {
    if (identityOf(location) === opened) return;
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      'The file of the store was removed or replaced while it was open; start again to open it anew.',
    );
  };
}

function identityOf(location: string): string | undefined {
  try {
    const { dev, ino } = statSync(location);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
