// What ranking may ask of a repository at one commit; every answer must come from that commit or its past.
import type { FileSheet } from './file-sheet.js';

export interface PastCommit {
  /** Seconds since the epoch. */
  readonly time: number;
  readonly paths: readonly string[];
}

export interface Corpus {
  /** Every source path of the tree. */
  paths(): Promise<readonly string[]>;
  /** Bytes of a source file, as far as they are known. */
  sizeOf(path: string): number;
  /** For each word, how often it stands as a whole identifier in which files. */
  grep(words: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** Sheets of the files that can be read; others are left out. All sheets of one run share a lexicon. */
  sheets(paths: readonly string[]): Promise<ReadonlyMap<string, FileSheet>>;
  /** Commits that touched one of the paths, newest first, each with all its paths. */
  history(paths: readonly string[]): Promise<readonly PastCommit[]>;
}
