// How much, and of what: amounts of different units cannot be added.

export type Unit = 'tokens' | 'bytes' | 'codepoints';

export interface Amount {
  readonly unit: Unit;
  readonly n: number;
}
