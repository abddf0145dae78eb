// What somebody says about single pieces by the names the receipt gives them: kept whatever else gives way, left out, or shown at one
// of their levels. The press does the rest.
import type { Fragment } from '../model/fragment.js';
import type { Rejection } from '../model/receipt.js';

export interface PieceWish {
  readonly pin: readonly string[];
  readonly without: readonly string[];
  /** By the name of a piece the name of the level it stands at, or not at all. */
  readonly levels?: Readonly<Record<string, string>> | undefined;
}

/** What must stand anyway cannot be left out. `nameOf`: where one piece has several ids. */
export function wished<Body>(
  fragments: readonly Fragment<Body>[],
  { pin, without, levels = {} }: PieceWish,
  nameOf: (id: string) => string = (id) => id,
): { readonly offered: readonly Fragment<Body>[]; readonly left: readonly Rejection[] } {
  if (pin.length + without.length + Object.keys(levels).length === 0) return { offered: fragments, left: [] };
  const pinned = new Set(pin.map(nameOf));
  const unwanted = new Set(without.map(nameOf));
  const isLeft = ({ id, pinned: stands }: Fragment<Body>) =>
    stands !== true && !pinned.has(nameOf(id)) && unwanted.has(nameOf(id));
  const atLevel = (fragment: Fragment<Body>): Fragment<Body> => {
    const name = nameOf(fragment.id);
    const level = Object.hasOwn(levels, name) && fragment.levels.find((each) => each.name === levels[name]);
    return level ? { ...fragment, levels: [level] } : fragment;
  };
  return {
    offered: fragments
      .filter((fragment) => !isLeft(fragment))
      .map(atLevel)
      .map((fragment) => (pinned.has(nameOf(fragment.id)) ? { ...fragment, pinned: true } : fragment)),
    left: fragments.filter(isLeft).map(({ id, source, layer }) => ({
      ...{ id, source, layer, verdict: 'withheld', reason: 'asked to stay out' },
    })),
  };
}
