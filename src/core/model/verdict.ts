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
  | 'over-limit'
  | 'below-floor'
  | 'withheld';

/** A fragment that was turned away before it could compete, by the press or by the desk that gathered it. */
export interface Rejection {
  readonly id: string;
  readonly source: string;
  readonly layer: string;
  readonly verdict: Extract<
    Verdict,
    'duplicate' | 'invalid' | 'over-limit' | 'below-floor' | 'withheld' | 'conceded'
  >;
  readonly reason: string;
  readonly ref?: string;
}
