// What weighs text. A weight is an additive integer; a whole prompt costs ceil(weight / scale) units, so that
// estimates round once per prompt and not once per piece.

export interface Meter {
  readonly id: string;
  readonly unit: Unit;
  /** False for calibrated estimates: they stay on the safe side of the true count. */
  readonly exact: boolean;
  readonly scale: number;
  weigh(text: string): number;
  /** `weigh(text + behind)`, for meters that know a text again without joining it first. */
  weighWith?(text: string, behind: string): number;
  /** The most that two texts can cost more joined than apart; absent where joining never costs. */
  seam?(left: string, right: string): number;
}

export function amountOf(meter: Meter, weight: number): Amount {
  return { unit: meter.unit, n: Math.ceil(weight / meter.scale) };
}

/** The greatest weight that still costs at most `n` units. */
export function weightOf(meter: Meter, n: number): number {
  return Math.floor(n * meter.scale);
}

export type Unit = 'tokens' | 'bytes' | 'codepoints';

/** How much, and of what: amounts of different units cannot be added. */
export interface Amount {
  readonly unit: Unit;
  readonly n: number;
}
