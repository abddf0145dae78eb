// What speaks for a file before it is opened: words, history, names and the imports of the visible files.

import { byCodePoint } from '../../core/model/code-points.js';
import type { QueryWord } from './change-query.js';
import { coChange } from './co-change.js';
import type { Corpus } from './corpus-port.js';
import type { FileSheet } from './file-sheet.js';
import { folderOf, isTestPath, sharedFolders, stemOf } from './path-kinship.js';
import { resolveImport } from './resolve-import.js';

export interface FileSignals {
  readonly path: string;
  readonly visible: boolean;
  readonly test: boolean;
  /** Rarity-weighted share of the query, 0 to 1 relative to the best file. */
  readonly words: number;
  readonly history: number;
  readonly sameFolder: boolean;
  readonly sameStem: boolean;
  readonly sharedFolders: number;
  readonly imported: boolean;
}

export interface SignalRun {
  readonly files: readonly FileSignals[];
  /** How many files hold a word, and the rarity that follows from it. */
  readonly rarity: ReadonlyMap<string, number>;
  readonly pathSet: ReadonlySet<string>;
}

export interface SignalQuestion {
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
  const bestTogether = best(others, together);
  const folders = new Set(visiblePaths.map(folderOf));
  const stems = new Set(visiblePaths.map(stemOf));
  const closest = closestTo([...folders]);
  const files = paths.map((path): FileSignals => {
    return {
      path,
      visible: visible.has(path),
      test: isTestPath(path),
      words: Math.min(1, (words.get(path) ?? 0) / bestWords),
      history: Math.min(1, (together.get(path) ?? 0) / bestTogether),
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
