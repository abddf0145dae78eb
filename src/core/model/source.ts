// Where fragments come from, and what may be asked of them.
import type { Fragment } from './fragment.js';
import type { Scope } from './scope.js';
import type { Warning } from './warning.js';

export interface Need {
  readonly source: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Who asked: the recipe, a rule, a model. */
  readonly askedBy: string;
}

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
