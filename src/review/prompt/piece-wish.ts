// Which pieces beside the diff somebody wants kept or left out, by the names the receipt gives them. The press does the rest; the diff
// itself is never left out this way, since what a review does not see has to be accounted for.
import type { Fragment } from '../../core/model/fragment.js';
import type { Rejection } from '../../core/model/receipt.js';

export interface PieceWish {
  readonly pin: readonly string[];
  readonly without: readonly string[];
}

const onPage = / on page (\d+)$/;

/** The same lines are the same piece on whatever page they stand. */
const nameOf = (id: string): string => id.replace(onPage, '');

export function handled<Body>(
  fragments: readonly Fragment<Body>[],
  { pin, without }: PieceWish,
): { readonly offered: readonly Fragment<Body>[]; readonly left: readonly Rejection[] } {
  if (pin.length + without.length === 0) return { offered: fragments, left: [] };
  const pinned = new Set(pin.map(nameOf));
  const unwanted = new Set(without.map(nameOf));
  const isLeft = ({ id }: Fragment<Body>) => !pinned.has(nameOf(id)) && unwanted.has(nameOf(id));
  return {
    offered: fragments
      .filter((fragment) => !isLeft(fragment))
      .map((fragment) => (pinned.has(nameOf(fragment.id)) ? { ...fragment, pinned: true } : fragment)),
    left: fragments.filter(isLeft).map(({ id, source, layer }) => ({
      ...{ id, source, layer, verdict: 'withheld', reason: 'asked to stay out' },
    })),
  };
}

/** The zero-based page a piece was meant for; on the first where its name says none. */
export function pageNamedIn(id: string, pages: number): number {
  const named = Number(onPage.exec(id)?.[1] ?? 1) - 1;
  return Math.min(named, Math.max(pages - 1, 0));
}
