// Which files are worth opening: the visible ones, and the best of the rest by fused ranks.
import { byCodePoint } from '../../core/model/code-point-order.js';
import type { FileSignals } from './file-signals.js';

const steadiness = 20;
/** Beyond the changed files; reading and parsing them is most of what ranking costs. */
export const mostOpened = 100;

export function chooseFiles(
  files: readonly FileSignals[],
  foremost: ReadonlySet<string>,
  most: number,
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
    const ranked = others
      .filter((file) => view(file) > 0)
      .toSorted((a, b) => view(b) - view(a) || byCodePoint(a.path, b.path));
    let rank = 0;
    ranked.forEach((file, index) => {
      if (index === 0 || view(file) !== view(ranked[index - 1]!)) rank = index;
      fused.set(file, (fused.get(file) ?? 0) + 1 / (steadiness + rank));
    });
  }
  const chosen = [...fused]
    .toSorted((a, b) => b[1] - a[1] || byCodePoint(a[0].path, b[0].path))
    .slice(0, most)
    .map(([file]) => file);
  return [...files.filter((file) => foremost.has(file.path)), ...chosen].toSorted((a, b) =>
    byCodePoint(a.path, b.path),
  );
}
