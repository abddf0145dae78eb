// Every finding has exactly one place: on lines of the change, or in the summary with the reason why not.

import type { Finding } from './finding.js';
import type { SuggestionFault } from './suggestion-fault.js';

/** `given` as the model said; otherwise what moved it. */
export type AnchoredBy = 'given' | 'quote' | 'side' | 'clip';

export const summaryReasons = {
  'not-in-change': 'the file is not part of this change',
  'no-lines': 'the file has no lines in this change',
  'no-line': 'no line was named, and no quoted code tells it',
  'outside-hunks': 'the line is outside the changed lines',
  'quote-not-found': 'the line is outside the changed lines, and the quoted code is not among them',
  'ambiguous-quote': 'the quoted code stands in several places',
  'crosses-hunks': 'the range is larger than the changed lines around it',
} as const;

export type SummaryReason = keyof typeof summaryReasons;

export type Place =
  | { readonly kind: 'anchored'; readonly by: AnchoredBy }
  | { readonly kind: 'summary'; readonly reason: SummaryReason };

export interface PlacedFinding {
  readonly finding: Finding;
  readonly place: Place;
  /** Why its suggestion was taken away. */
  readonly lostSuggestion?: SuggestionFault;
}
