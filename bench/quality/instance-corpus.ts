// Answers the ranking's questions for one instance from memory, in the way git would.
import type { Corpus, FileSheet } from '../../src/review/related/corpus.js';
import type { Instance } from './instance.js';
import type { SheetLibrary } from './sheet-library.js';

const countsOf = new WeakMap<FileSheet, Map<number, number>>();

function wordCounts(sheet: FileSheet): Map<number, number> {
  let counts = countsOf.get(sheet);
  if (counts === undefined) {
    counts = new Map();
    for (const word of sheet.words) counts.set(word, (counts.get(word) ?? 0) + 1);
    countsOf.set(sheet, counts);
  }
  return counts;
}

export function instanceCorpus(instance: Instance, library: SheetLibrary): Corpus {
  const blobOf = new Map(instance.tree.map((entry) => [entry.path, entry.blob]));
  return {
    paths: async () => instance.tree.map((entry) => entry.path),
    sizeOf: () => 0,
    async grep(words) {
      const ids = words.map((word) => library.lexicon.ids.get(word));
      const found = new Map<string, Map<string, number>>(words.map((word) => [word, new Map()]));
      for (const entry of instance.tree) {
        const sheet = library.sheet(entry.blob);
        if (sheet === undefined) continue;
        const counts = wordCounts(sheet);
        words.forEach((word, index) => {
          const times = ids[index] === undefined ? undefined : counts.get(ids[index]);
          if (times !== undefined) found.get(word)!.set(entry.path, times);
        });
      }
      return found;
    },
    async sheets(paths) {
      const out = new Map<string, FileSheet>();
      for (const path of paths) {
        const blob = blobOf.get(path);
        const sheet = blob === undefined ? undefined : library.sheet(blob);
        if (sheet !== undefined) out.set(path, sheet);
      }
      return out;
    },
    history: async () => instance.history,
  };
}
