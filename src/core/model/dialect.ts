// How fragments read for one kind of reader: headings, separators and the words around each body.
import type { FinishHits, Fragment } from './fragment.js';

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
