// Joins the answers of a repository into what ranking asks for: files are read and outlined only when they are opened.
import type { Corpus, PastCommit } from './corpus-port.js';
import { type FileSheet, makeSheet } from './file-sheet.js';
import type { Lexicon } from './lexicon.js';
import type { FileOutline } from './outline-port.js';

export interface CorpusPorts {
  paths(): Promise<readonly string[]>;
  /** Once the paths were listed; 0 where nobody knows. */
  sizeOf?(path: string): number;
  grep(words: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** Texts of the files that exist and are text. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  outline(path: string, text: string): Promise<FileOutline>;
  history(paths: readonly string[]): Promise<readonly PastCommit[]>;
}

export function makeCorpus(ports: CorpusPorts, lexicon: Lexicon): Corpus {
  const known = new Map<string, FileSheet>();
  const counts = new Map<string, ReturnType<CorpusPorts['grep']>>();
  return {
    paths: () => ports.paths(),
    sizeOf: (path) => ports.sizeOf?.(path) ?? 0,
    async grep(words) {
      const missing = words.filter((word) => !counts.has(word));
      const asked = missing.length === 0 ? undefined : ports.grep(missing);
      for (const word of missing) if (asked !== undefined) counts.set(word, asked);
      const answers = await Promise.all(words.map((word) => counts.get(word)));
      return new Map(words.map((word, at) => [word, answers[at]?.get(word) ?? new Map()]));
    },
    history: (paths) => ports.history(paths),
    async sheets(paths) {
      const missing = paths.filter((path) => !known.has(path));
      const texts = missing.length === 0 ? new Map<string, string>() : await ports.read(missing);
      for (const path of missing) {
        const text = texts.get(path);
        if (text !== undefined) known.set(path, makeSheet(text, await ports.outline(path, text), lexicon));
      }
      const out = new Map<string, FileSheet>();
      for (const path of paths) {
        const sheet = known.get(path);
        if (sheet !== undefined) out.set(path, sheet);
      }
      return out;
    },
  };
}
