// What requests search in: the new tree, and all their words looked up in one go.
import type { WordHit } from '../../../git/objects/grep-words.js';
import type { TreeLibrary } from '../tree-library.js';

export interface RequestGround {
  readonly library: TreeLibrary;
  /** Every path of the tree, and old paths of what was removed. */
  readonly paths: ReadonlySet<string>;
  hits(word: string): readonly WordHit[];
  /** Looks up words that only turned out to matter while searching. */
  look(words: readonly string[]): Promise<void>;
}

/** A place that answers a request. */
export interface Reference {
  readonly path: string;
  readonly line: number;
  readonly startLine: number;
  readonly endLine: number;
  /** Name of the symbol around it. */
  readonly within?: string;
  /** `possible` where only the name speaks for it. */
  readonly certainty: 'certain' | 'possible';
}

export interface References {
  /** Best first. */
  readonly found: readonly Reference[];
  /** What was found before any cap. */
  readonly total: number;
  /** Places with the word in files that were not opened. */
  readonly unchecked: number;
}
