// What speaks for a file before it is opened: words, history, names and the imports of the visible files; and which are worth
// opening.
import { byCodePoint } from '../../core/model/code-points.js';
import type { QueryWord } from './change-query.js';
import type { Corpus, FileSheet, PastCommit } from './corpus.js';
import { folderOf, isAsidePath, isTestPath, resolveImport, sharedFolders, stemOf } from './path-kinship.js';

export interface FileSignals {
  readonly path: string;
  readonly visible: boolean;
  readonly test: boolean;
  readonly aside: boolean;
  /** Rarity-weighted share of the query, 0 to 1 relative to the best file. */
  readonly words: number;
  readonly history: number;
  /** Of the commits that touched the visible files before, the share that touched this one too. */
  readonly historyShare: number;
  readonly sameFolder: boolean;
  readonly sameStem: boolean;
  readonly sharedFolders: number;
  readonly imported: boolean;
}

interface SignalRun {
  readonly files: readonly FileSignals[];
  /** How many files hold a word, and the rarity that follows from it. */
  readonly rarity: ReadonlyMap<string, number>;
  readonly pathSet: ReadonlySet<string>;
}

interface SignalQuestion {
  readonly corpus: Corpus;
  readonly query: readonly QueryWord[];
  readonly visible: ReadonlySet<string>;
  /** The visible paths that are opened, and whose history is asked for. */
  readonly foremost: readonly string[];
}

export async function signalFiles(question: SignalQuestion): Promise<SignalRun> {
  const { corpus, query, visible } = question;
  // Git looks for words and commits while the visible files are parsed.
  const [paths, found, past, visibleSheets] = await Promise.all([
    corpus.paths(),
    corpus.grep(query.map((entry) => entry.word)),
    corpus.history(question.foremost),
    corpus.sheets(question.foremost),
  ]);
  const pathSet = new Set(paths);
  const rarity = new Map<string, number>();
  const words = new Map<string, number>();
  for (const { word, weight } of query) {
    const files = found.get(word);
    const documents = files?.size ?? 0;
    const rare = Math.log(1 + (paths.length - documents + 0.5) / (documents + 0.5));
    rarity.set(word, rare);
    for (const [path, times] of files ?? []) {
      words.set(path, (words.get(path) ?? 0) + (weight * rare * times) / (times + 1.2));
    }
  }
  const visiblePaths = [...visible].toSorted(byCodePoint);
  const together = coChange(past, visible);
  const imported = importsOf(visibleSheets, pathSet);
  const others = paths.filter((path) => !visible.has(path));
  const bestWords = best(others, words);
  const bestTogether = best(others, together.scores);
  const folders = new Set(visiblePaths.map(folderOf));
  const stems = new Set(visiblePaths.map(stemOf));
  const closest = closestTo([...folders]);
  const files = paths.map((path): FileSignals => {
    return {
      path,
      visible: visible.has(path),
      test: isTestPath(path),
      aside: isAsidePath(path),
      words: Math.min(1, (words.get(path) ?? 0) / bestWords),
      history: Math.min(1, (together.scores.get(path) ?? 0) / bestTogether),
      historyShare: (together.times.get(path) ?? 0) / Math.max(1, together.commits),
      sameFolder: folders.has(folderOf(path)),
      sameStem: stems.has(stemOf(path)),
      sharedFolders: closest(folderOf(path)),
      imported: imported.has(path),
    };
  });
  return { files, rarity, pathSet };
}

function best(paths: readonly string[], scores: ReadonlyMap<string, number>): number {
  let highest = 0;
  for (const path of paths) highest = Math.max(highest, scores.get(path) ?? 0);
  return highest === 0 ? 1 : highest;
}

function importsOf(sheets: ReadonlyMap<string, FileSheet>, pathSet: ReadonlySet<string>): Set<string> {
  const out = new Set<string>();
  for (const [path, sheet] of sheets) {
    for (const specifier of sheet.imports) {
      const target = resolveImport(path, specifier, pathSet);
      if (target !== undefined) out.add(target);
    }
  }
  return out;
}

/** How much of its way a folder shares with the closest of the given ones; each folder is compared once. */
function closestTo(folders: readonly string[]): (folder: string) => number {
  const known = new Map<string, number>();
  return (folder) => {
    let shared = known.get(folder);
    if (shared === undefined) {
      shared = folders.reduce((best, other) => Math.max(best, sharedFolders(folder, other)), 0);
      known.set(folder, shared);
    }
    return shared;
  };
}

const largestCommit = 60;
const halfLife = 60;

interface CoChange {
  /** Small commits say more, and each half-life of commits halves the weight. */
  readonly scores: ReadonlyMap<string, number>;
  readonly times: ReadonlyMap<string, number>;
  /** How many commits were counted. */
  readonly commits: number;
}

/** How often other paths changed with the visible ones. */
function coChange(history: readonly PastCommit[], visible: ReadonlySet<string>): CoChange {
  const scores = new Map<string, number>();
  const times = new Map<string, number>();
  let commits = 0;
  history.forEach((commit, age) => {
    const size = commit.paths.length;
    const touched = commit.paths.filter((path) => visible.has(path)).length;
    if (size > largestCommit || touched === 0) return;
    commits += 1;
    const weight =
      size < 2 ? 0 : (touched / Math.sqrt(visible.size) / Math.log2(1 + size)) * 2 ** (-age / halfLife);
    for (const path of commit.paths) {
      scores.set(path, (scores.get(path) ?? 0) + weight);
      times.set(path, (times.get(path) ?? 0) + 1);
    }
  });
  return { scores, times, commits };
}

const steadiness = 20;
/** What is opened beyond the changed files; reading and parsing it is most of what ranking costs. */
export interface OpenLimit {
  readonly files: number;
  readonly bytes: number;
}

export const manyFiles: OpenLimit = { files: 100, bytes: Number.POSITIVE_INFINITY };

/** The visible ones, and the best of the rest by fused ranks. */
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
