// Plain ways to fill a budget with lines: windows of thirty lines by BM25 over all source files, the same in the files that BM25 finds
// best, and those files from their beginning. They see source files only, no tests and no examples, and split and stem words as we do.
import { LRUCache } from 'lru-cache';
import { visitTexts } from '../../src/git/objects/tree-files.js';
import type { Repository } from '../../src/git/repository/open-repository.js';
import { taskWords, termsIn } from '../../src/review/find/task-words.js';
import { sourceFiles } from './peers.js';
import type { Task } from './tasks.js';

export interface ShownLines {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

interface Window {
  readonly startLine: number;
  readonly endLine: number;
  readonly characters: number;
  readonly times: ReadonlyMap<string, number>;
  readonly length: number;
}

const windowLines = 30;
const bestFiles = 12;
const windowsOf = new LRUCache<string, readonly Window[]>({ max: 20_000 });

function cutWindows(text: string): Window[] {
  const lines = text.split('\n');
  const windows: Window[] = [];
  for (let start = 0; start < lines.length; start += windowLines) {
    const part = lines.slice(start, start + windowLines);
    const times = new Map<string, number>();
    const terms = termsIn(part.join('\n'));
    for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
    const characters = part.join('\n').length + 12;
    windows.push({
      ...{ startLine: start + 1, endLine: start + part.length },
      ...{ characters, times, length: terms.length },
    });
  }
  return windows;
}

export type LinePeers = Readonly<Record<string, (budget: number) => ShownLines[]>>;

export async function linePeers(repository: Repository, task: Task): Promise<LinePeers> {
  const files = await sourceFiles(repository, task);
  const missing = files.map(({ blob }) => blob).filter((blob) => !windowsOf.has(blob));
  await visitTexts(repository, [...new Set(missing)], {
    signal: undefined,
    visit: (blob, bytes) => void windowsOf.set(blob, cutWindows(bytes.toString('utf8'))),
  });
  const all = files.flatMap(({ path, blob }) =>
    (windowsOf.get(blob) ?? []).map((window) => ({ path, ...window })),
  );
  const scores = byWords(all, taskWords(task.query).weights.keys());
  const order = [...all.keys()]
    .filter((at) => scores[at]! > 0)
    .sort((a, b) => scores[b]! - scores[a]! || a - b);
  const strength = new Map<string, number>();
  for (const at of order) {
    const { path } = all[at]!;
    strength.set(path, Math.max(strength.get(path) ?? 0, scores[at]!));
  }
  const best = [...strength].sort((a, b) => b[1] - a[1]).slice(0, bestFiles);
  const rankOf = new Map(best.map(([path], at) => [path, at]));
  const fill = (places: readonly number[]) => (budget: number) => {
    let left = budget * 4;
    return places.flatMap((at) => {
      const { path, startLine, endLine, characters } = all[at]!;
      if (characters + path.length > left) return [];
      left -= characters + path.length;
      return [{ path, startLine, endLine }];
    });
  };
  const inBest = order.filter((at) => rankOf.has(all[at]!.path));
  const pulled = (at: number) => scores[at]! / Math.sqrt(1 + rankOf.get(all[at]!.path)!);
  const whole = [...all.keys()]
    .filter((at) => rankOf.has(all[at]!.path))
    .sort((a, b) => rankOf.get(all[a]!.path)! - rankOf.get(all[b]!.path)! || a - b);
  return {
    'windows by BM25': fill(order),
    'windows of the best files': fill(inBest.toSorted((a, b) => pulled(b) - pulled(a) || a - b)),
    'whole best files': fill(whole),
  };
}

function byWords(windows: readonly Window[], asked: Iterable<string>): Float64Array {
  const average = windows.reduce((sum, { length }) => sum + length, 0) / Math.max(1, windows.length) || 1;
  const scores = new Float64Array(windows.length);
  for (const term of asked) {
    let holding = 0;
    for (const { times } of windows) if (times.has(term)) holding += 1;
    if (holding === 0) continue;
    const rare = Math.log(1 + (windows.length - holding + 0.5) / (holding + 0.5));
    windows.forEach(({ times, length }, at) => {
      const count = times.get(term) ?? 0;
      scores[at]! += (rare * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
    });
  }
  return scores;
}
