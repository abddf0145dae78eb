// What a desk wants set: its layers in order of giving way, its sections in order of appearance, and the dialect that words them.
import type { FinishHits, Fragment } from './fragment.js';

/** `answer` holds the form the answer must have, for models that take it apart from the words. */
export const channels = ['system', 'prompt', 'answer'] as const;

export type Channel = (typeof channels)[number];

export interface Section {
  readonly id: string;
  readonly channel: Channel;
  /** Does not change from request to request; leading stable sections form the cacheable prefix. */
  readonly stable?: boolean;
  readonly breakpoint?: boolean;
}

export interface Recipe {
  readonly id: string;
  readonly version: number;
  readonly layers: readonly Layer[];
  readonly sections: readonly Section[];
  readonly overflow: 'concede' | 'paginate';
}

/**
 * What a layer keeps when it has to give way:
 * `all` never yields; `highest-rank` drops the lowest rank first; `nearest` does the same for fragments ranked by nearness and is
 * never refilled; `newest` drops the lowest position first; `level` steps down one level at a time, lowest rank first, and
 * keeps the last level; `level-then-rank` drops whole fragments once every level is spent; `rank-then-level` has the lowest rank
 * step down and leave before the next one is touched, so that the best stays whole longest; `head` is cut from its end.
 */
export type KeepRule =
  | 'all'
  | 'highest-rank'
  | 'nearest'
  | 'newest'
  | 'level'
  | 'level-then-rank'
  | 'rank-then-level'
  | 'head';

/** Who competes for the budget, what each keeps, and when it gives way. */
export interface Layer {
  readonly id: string;
  readonly keep: KeepRule;
  /** Lower numbers give way first. A layer without one never yields to other layers. */
  readonly yieldOrder?: number;
  /** Part of the budget: an alarm line, or with `selfCapped` a line the layer must keep to by itself. */
  readonly share?: number;
  readonly selfCapped?: boolean;
  /** In units of the budget: what the layer keeps at least, if it has that much. */
  readonly floor?: number;
  /**
   * Smaller pieces of lower rank may use room that is left over: all of it for `highest-rank`, a twentieth of the budget for
   * `rank-then-level`, where the first piece that does not fit is shown in part. Not for others.
   */
  readonly refill?: boolean;
  /** How many fragments may compete; the highest ranks do. */
  readonly most?: number;
  /** Repeated on every page; other layers are spread over the pages. */
  readonly everyPage?: boolean;
}

/** One-based place of a page in its set. */
export interface PagePlace {
  readonly index: number;
  readonly total: number;
}

export interface SectionWording {
  /** Stands before the first fragment, with its own line break; omitted with an empty section. */
  readonly heading: string;
  readonly between: string;
}

/** Words as they may be sent, and how often something in them was replaced or made visible, by its kind. */
export interface FinishedWords {
  readonly text: string;
  readonly hits: FinishHits;
}

/** How fragments read for one kind of reader: headings, separators and the words around each body. */
export interface Dialect<Body = unknown> {
  readonly id: string;
  readonly version: number;
  /** Stands between two sections of a channel. */
  readonly apart: string;
  section(id: string, page: PagePlace): SectionWording;
  /** The words of a fragment; `place` is its one-based number among the fragments that stay in its section. */
  word(body: Body, fragment: Fragment<Body>, place: number): string;
  /** The last step of wording, before anything is weighed: secrets taken out, hidden text shown. */
  finish?(words: string, fragment: Fragment<Body>): FinishedWords;
}
