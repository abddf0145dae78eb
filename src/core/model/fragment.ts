// The smallest thing that is kept or left out: its levels of detail, where it comes from, whose it is, and the sources that give it.
import type { Warning } from './error.js';

/** How often something in words was replaced or made visible, by its kind. */
export type FinishHits = Readonly<Record<string, number>>;

export interface Level<Body = unknown> {
  readonly name: string;
  readonly body: Body;
  /**
   * What the words and the separator behind them weigh, when that is known already: the words are then asked for only when
   * they are composed. They must not depend on their place, and must begin and end where joining costs nothing.
   */
  readonly weight?: number;
  /** For words that were finished when they were weighed: they are not finished again. */
  readonly finished?: FinishHits;
}

export interface Fragment<Body = unknown> {
  /** Unique within one assembly; safe to write into a receipt. */
  readonly id: string;
  readonly source: string;
  readonly scope: Scope;
  readonly layer: string;
  readonly section: string;
  /** What is worth keeping: higher stays longer. */
  readonly rank: number;
  /** Where it stands among its neighbours; ties are broken by id. */
  readonly position: number;
  /** Fullest first; at least one. */
  readonly levels: readonly Level<Body>[];
  readonly ref?: Ref;
  readonly pinned?: boolean;
  /** Fragments of a layer with the same bond stay or go together. */
  readonly bond?: string;
  /** Fragments with the same affinity share a page where that costs no page. */
  readonly affinity?: string;
  /** What it counts towards the bound of what is spread, where that is not its weight. */
  readonly spread?: number;
  /** Zero-based page on which it stood before: it stays there while it fits. */
  readonly stood?: number;
  /** Id of a fragment of a spread layer that must stand on the same page or an earlier one. */
  readonly after?: string;
  /** Id of a fragment whose page it shares, if that page has room left; it is the first to go. */
  readonly beside?: string;
  /** Id of a fragment of a better rank that it leans on for words: it stands only where that one does. */
  readonly continues?: string;
  /** Asks for a cache breakpoint after this fragment. */
  readonly breakpoint?: boolean;
}

/** Where a fragment comes from: a path inside the project, never an absolute one. */
export interface Ref {
  readonly path: string;
  /** One-based and inclusive. */
  readonly lines?: { readonly start: number; readonly end: number };
  readonly blob?: string;
}

export function isProjectRelative(path: string): boolean {
  if (path === '' || path.startsWith('/') || path.startsWith('\\') || /^[A-Za-z]:/.test(path)) return false;
  return !path.split(/[\\/]/).includes('..');
}

export function formatRef(ref: Ref): string {
  const lines = ref.lines === undefined ? '' : `#L${ref.lines.start}-L${ref.lines.end}`;
  return `ref:${ref.path}${lines}`;
}

/** Whose text this is. Fragments of another project never enter an assembly. */
export interface Scope {
  readonly project: string;
  readonly document?: string;
  readonly caller?: string;
}

export interface Need {
  readonly source: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Who asked: the recipe, a rule, a model. */
  readonly askedBy: string;
}

/** Where fragments come from, and what may be asked of them. */
export interface Source<Body = unknown> {
  readonly id: string;
  readonly timeLimitMs: number;
  /** What the caller reads when this source fails or is too slow. */
  readonly outage: Warning;
  gather(need: Need, scope: Scope, signal: AbortSignal): Promise<readonly Fragment<Body>[]>;
}

/** For a source in plain JavaScript or with a body of its own: the editor knows what it must have. */
export function defineSource<Body>(source: Source<Body>): Source<Body> {
  return source;
}
