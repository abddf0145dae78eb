// Caches as the host keeps them: each belongs to the ref whose run saved it, is never written twice, and is seen by runs of that ref and,
// where the ref is that of the default branch, by all.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const defaultRef = 'refs/heads/main';

export interface SavedCache {
  readonly ref: string;
  readonly key: string;
  readonly folder: string;
}

export interface CacheStore {
  readonly saved: readonly SavedCache[];
  /** The key that was found. */
  restore(
    ref: string,
    wanted: { key: string; prefixes: readonly string[]; path: string },
  ): string | undefined;
  save(ref: string, entry: { key: string; path: string }): void;
}

/** `ready` gives folders for keys as if somebody had saved them long ago. */
export function cacheStore(root: string, ready: (key: string) => string | undefined): CacheStore {
  const saved: SavedCache[] = [];
  const isKey = (key: string) => {
    if (key.length > 512 || key.includes(',')) throw new TypeError(`the host takes no such key: ${key}`);
  };
  return {
    saved,
    restore(ref, { key, prefixes, path }) {
      isKey(key);
      const early = ready(key);
      if (early !== undefined) {
        mkdirSync(dirname(path), { recursive: true });
        symlinkSync(early, path);
        return key;
      }
      for (const place of [...new Set([ref, defaultRef])]) {
        const here = saved.filter((entry) => entry.ref === place);
        const found =
          here.find((entry) => entry.key === key) ??
          prefixes
            .map((prefix) => here.findLast((entry) => entry.key.startsWith(prefix)))
            .find((entry) => entry !== undefined);
        if (found === undefined) continue;
        cpSync(found.folder, path, { recursive: true });
        return found.key;
      }
      return undefined;
    },
    save(ref, { key, path }) {
      isKey(key);
      if (saved.some((entry) => entry.ref === ref && entry.key === key)) return;
      const folder = join(root, `cache-${saved.length}`);
      cpSync(path, folder, { recursive: true });
      saved.push({ ref, key, folder });
    },
  };
}

/** Gone, whatever it is, but never what a link leads to. */
export function clear(path: string): void {
  if (!existsSync(path)) return;
  for (const name of readdirSync(path)) {
    const each = join(path, name);
    if (lstatSync(each).isSymbolicLink()) rmSync(each);
    else rmSync(each, { recursive: true, force: true });
  }
}
