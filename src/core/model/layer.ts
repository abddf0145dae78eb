// Who competes for the budget, and in which manner each gives way.

/**
 * What a layer keeps when it has to give way:
 * `all` never yields; `highest-rank` drops the lowest rank first; `nearest` does the same for fragments ranked by nearness and is
 * never refilled; `newest` drops the lowest position first; `level` steps down one level at a time, lowest rank first, and
 * keeps the last level; `level-then-rank` drops whole fragments once every level is spent; `rank-then-level` has the lowest rank
 * step down and leave before the next one is touched, so that the best stays whole longest; `head` is cut from its end.
 */
export type Manner =
  | 'all'
  | 'highest-rank'
  | 'nearest'
  | 'newest'
  | 'level'
  | 'level-then-rank'
  | 'rank-then-level'
  | 'head';

export interface Layer {
  readonly id: string;
  readonly manner: Manner;
  /** Lower turns give way first. A layer without a turn never yields to other layers. */
  readonly turn?: number;
  /** Part of the budget: an alarm line, or with `ownLine` a line the layer must keep to by itself. */
  readonly share?: number;
  readonly ownLine?: boolean;
  /** In units of the budget: what the layer keeps at least, if it has that much. */
  readonly floor?: number;
  /** Smaller pieces of lower rank may use room that is left over. Only for `highest-rank`. */
  readonly refill?: boolean;
  /** How many fragments may compete; the highest ranks do. */
  readonly most?: number;
  /** Repeated on every page; other layers are spread over the pages. */
  readonly everyPage?: boolean;
}
