// What happened to a fragment, in one word, and why.

export type Verdict =
  | 'kept'
  | 'stepped-down'
  | 'cut'
  | 'refilled'
  | 'conceded'
  | 'over-own-line'
  | 'too-large'
  | 'beyond-pages'
  | 'duplicate'
  | 'invalid'
  | 'over-limit';

/** A fragment that was turned away before it could compete. */
export interface Rejection {
  readonly id: string;
  readonly source: string;
  readonly layer: string;
  readonly verdict: Extract<Verdict, 'duplicate' | 'invalid' | 'over-limit'>;
  readonly reason: string;
}
