// One thing we would be willing to give up. The list of them is worked out before anyone looks at the budget.

export interface Member {
  /** Into the wordings. */
  readonly index: number;
  /** The level in force before the concession is made. */
  readonly from: number;
}

export interface Concession {
  /** `drop` leaves fragments out, `step` shows one at its next level, `cut` keeps as much of a head as fits. */
  readonly kind: 'drop' | 'step' | 'cut';
  readonly layer: string;
  /** More than one for bonded fragments. */
  readonly members: readonly Member[];
}
