// What stays, at which level and on which page, and how far down the concession list we had to go.
import type { Verdict } from './verdict.js';
import type { Wording } from './wording.js';

export interface Choice {
  readonly wording: Wording;
  /** Index into the levels; undefined when the fragment is left out. */
  readonly level?: number;
  /** For fragments cut to their head: code units of the words that stay. */
  readonly cutAt?: number;
  /** Zero-based page; undefined for fragments on every page. */
  readonly page?: number;
  /** For what was left out beside something: the page it would have stood on. */
  readonly near?: number;
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface Selection {
  readonly choices: readonly Choice[];
  readonly pages: number;
  readonly concessions: Concessions;
  /** Those of each page, where pages make their own. */
  readonly byPage?: readonly Concessions[];
}

interface Concessions {
  readonly made: number;
  readonly offered: number;
}
