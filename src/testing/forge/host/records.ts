// What a forge keeps of pull requests and of what was said on them; each host shows it in its own words.
import type { Side } from './diff.js';

export interface Comment {
  readonly id: number;
  readonly author: string;
  body: string;
  readonly createdAt: Date;
  updatedAt: Date;
  /** By its name at GitHub, such as `-1`. */
  readonly reactions: { readonly login: string; readonly content: string }[];
}

export interface ThreadPlace {
  readonly path: string;
  readonly oldPath: string;
  readonly side: Side;
  readonly line: number;
  /** The same as `line` where it is about one line. */
  readonly startLine: number;
}

export interface Thread extends ThreadPlace {
  readonly id: string;
  /** Where it was made. */
  readonly commit: string;
  readonly mergeBase: string;
  readonly reviewId: number;
  /** The head of its hunk and the lines up to its own. */
  readonly hunk: string;
  readonly comments: Comment[];
  isResolved: boolean;
  resolvedBy: string | undefined;
  /** Where its lines are now; undefined once they are no longer in the diff. */
  now: { readonly line: number; readonly startLine: number } | undefined;
}

export interface Review {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly state: 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED';
  readonly commit: string;
  readonly submittedAt: Date;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

export interface Push {
  readonly id: number;
  readonly before: string;
  readonly commit: string;
  readonly at: Date;
}

export interface Pull {
  readonly id: number;
  readonly number: number;
  readonly author: string;
  readonly head: { readonly branch: string; readonly owner: string; commit: string };
  /** The commit is the one the base had when the head was last pushed. */
  readonly base: { readonly branch: string; commit: string };
  mergeBase: string;
  title: string;
  description: string;
  isDraft: boolean;
  state: 'open' | 'merged' | 'closed';
  mergeCommit: string | undefined;
  /** Every time its head moved. */
  readonly pushes: Push[];
  readonly closes: readonly Issue[];
  readonly comments: Comment[];
  threads: Thread[];
  reviews: Review[];
  readonly createdAt: Date;
  updatedAt: Date;
  closedAt: Date | undefined;
}

export interface Status {
  readonly id: number;
  readonly commit: string;
  readonly state: string;
  readonly context: string;
  readonly description: string;
  readonly author: string;
}

export interface CheckRun {
  readonly id: number;
  readonly commit: string;
  readonly name: string;
  status: string;
  conclusion: string | undefined;
  output: { title: string; summary: string; text: string };
  readonly annotations: Record<string, unknown>[];
  readonly author: string;
}
