// A half-open range of UTF-16 code units in a text.

export interface TextRange {
  readonly start: number;
  readonly end: number;
}
