// What a replay comes to: either way of reviewing beside the other, for each change and in sum.
import type { ErrorCode, Warning } from '../../core/model/error.js';
import type { PastChanges } from './find-changes.js';
import type { FindingScore } from './places.js';

/** One way of reviewing a change. */
export interface ReplaySide {
  readonly pages: number;
  /** Of everything that would be sent. */
  readonly inputTokens: number;
  /** For reading them, where the price of the model is known. */
  readonly inputDollars?: number;
  /** Places of which the reviewer sees at least half of the lines. */
  readonly shown: number;
  /** Absent where no model was asked. */
  readonly review?: ReplayedReview;
}

export interface ReplayedReview extends FindingScore {
  /** Every page was answered. */
  readonly complete: boolean;
  /** Answers kept from an earlier run cost nothing. */
  readonly calls: number;
  readonly dollars?: number;
}

export interface ReplayedPull {
  readonly number?: number;
  readonly title: string;
  readonly base: string;
  readonly head: string;
  /** Later commits that fixed something on its lines. */
  readonly fixes: number;
  readonly places: { readonly comments: number; readonly fixes: number };
  readonly withContext: ReplaySide;
  readonly withoutContext: ReplaySide;
}

export interface Replay {
  /** Where the pull requests come from. */
  readonly source: PastChanges['source'];
  readonly model?: string;
  /** How long after a merge fixes were looked for. */
  readonly within: { readonly days: number; readonly commits: number };
  /** Newest first. */
  readonly pulls: readonly ReplayedPull[];
  /** Those that could not be replayed. */
  readonly skipped: readonly {
    readonly number?: number;
    readonly head: string;
    readonly code: ErrorCode;
  }[];
  /** Not looked at, since the ceiling of cost was reached. */
  readonly left: number;
  readonly total: ReplayTotal;
  readonly warnings: readonly Warning[];
}

export interface SideTotal {
  readonly pages: number;
  readonly inputTokens: number;
  readonly inputDollars?: number;
  readonly shown: number;
  /** Of the pull requests that a model reviewed both ways. */
  readonly review?: FindingScore & { readonly calls: number; readonly dollars?: number };
}

export interface ReplayTotal {
  readonly pulls: number;
  /** Of these, with a place that people or a later fix touched. */
  readonly touched: number;
  readonly fixes: number;
  readonly places: { readonly comments: number; readonly fixes: number };
  readonly withContext: SideTotal;
  readonly withoutContext: SideTotal;
}

export function totalOf(pulls: readonly ReplayedPull[]): ReplayTotal {
  const comments = sum(pulls, ({ places }) => places.comments);
  const fixes = sum(pulls, ({ places }) => places.fixes);
  return {
    pulls: pulls.length,
    touched: pulls.filter(({ places }) => places.comments + places.fixes > 0).length,
    fixes: sum(pulls, (pull) => pull.fixes),
    places: { comments, fixes },
    withContext: sideTotal(pulls.map(({ withContext }) => withContext)),
    withoutContext: sideTotal(pulls.map(({ withoutContext }) => withoutContext)),
  };
}

function sideTotal(sides: readonly ReplaySide[]): SideTotal {
  const reviews = sides.flatMap(({ review }) => review ?? []);
  return {
    pages: sum(sides, ({ pages }) => pages),
    inputTokens: sum(sides, ({ inputTokens }) => inputTokens),
    ...whereKnown('inputDollars', sides, ({ inputDollars }) => inputDollars),
    shown: sum(sides, ({ shown }) => shown),
    ...(reviews.length === 0
      ? {}
      : {
          review: {
            findings: sum(reviews, ({ findings }) => findings),
            onPlaces: sum(reviews, ({ onPlaces }) => onPlaces),
            placesFound: sum(reviews, ({ placesFound }) => placesFound),
            calls: sum(reviews, ({ calls }) => calls),
            ...whereKnown('dollars', reviews, ({ dollars }) => dollars),
          },
        }),
  };
}

function sum<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}

/** What is known of none is not 0. */
function whereKnown<Name extends string, Item>(
  name: Name,
  items: readonly Item[],
  pick: (item: Item) => number | undefined,
): { [Key in Name]?: number } {
  const known = items.flatMap((item) => pick(item) ?? []);
  return (known.length === 0 ? {} : { [name]: known.reduce((total, one) => total + one, 0) }) as {
    [Key in Name]?: number;
  };
}
