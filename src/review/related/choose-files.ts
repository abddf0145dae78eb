// Which files are worth opening: the visible ones, and the best of the rest by fused ranks.
import { byCodePoint } from '../../core/model/code-points.js';
import type { FileSignals } from './file-signals.js';

const steadiness = 20;
/** What is opened beyond the changed files; reading and parsing it is most of what ranking costs. */
export interface OpenLimit {
  readonly files: number;
  readonly bytes: number;
}

export const manyFiles: OpenLimit = { files: 100, bytes: Number.POSITIVE_INFINITY };

export function chooseFiles(
  files: readonly FileSignals[],
  foremost: ReadonlySet<string>,
  { limit, sizeOf }: { readonly limit: OpenLimit; sizeOf(path: string): number },
): FileSignals[] {
  const others = files.filter((file) => !file.visible);
  const fused = new Map<FileSignals, number>();
  const views: ((file: FileSignals) => number)[] = [
    (file) => file.words,
    (file) => file.history,
    (file) => Number(file.sameStem) * 2 + Number(file.sameFolder) + file.sharedFolders,
    (file) => Number(file.imported),
  ];
  for (const view of views) {
    const speaking = others.filter((file) => view(file) > 0);
    const values = Float64Array.from(speaking, view).sort().reverse();
    // Equal values share the place of the first.
    const places = new Map<number, number>();
    values.forEach((value, place) => {
      if (!places.has(value)) places.set(value, place);
    });
    for (const file of speaking) {
      const place = places.get(view(file)) ?? values.length;
      fused.set(file, (fused.get(file) ?? 0) + 1 / (steadiness + place));
    }
  }
  const best = [...fused]
    .toSorted((a, b) => b[1] - a[1] || byCodePoint(a[0].path, b[0].path))
    .map(([file]) => file);
  let bytes = 0;
  const opened = best.slice(0, limit.files).filter(({ path }) => {
    const size = sizeOf(path);
    if (bytes + size > limit.bytes) return false;
    bytes += size;
    return true;
  });
  return [...files.filter((file) => foremost.has(file.path)), ...opened].toSorted((a, b) =>
    byCodePoint(a.path, b.path),
  );
}
