// One question put to every method: a tree, a visible change, and what the author touched besides.

import type { VisibleHunk } from '../../src/review/related/change-query.js';
import type { PastCommit } from '../../src/review/related/corpus.js';
import type { TreeEntry } from './git-reader.js';

export interface GoldUnit {
  readonly path: string;
  readonly lines: readonly number[];
}

export interface Instance {
  readonly id: string;
  readonly repository: string;
  readonly task: 'followup' | 'crossfile' | 'samefile';
  /** Code files of the tree after the visible change. */
  readonly tree: readonly TreeEntry[];
  readonly hunks: readonly VisibleHunk[];
  readonly gold: readonly GoldUnit[];
  /** Commits before the change that touched a visible file, newest first. */
  readonly history: readonly PastCommit[];
}
