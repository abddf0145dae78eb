// A half-open range of a text, always counted in code points.

export interface TextRange {
  readonly start: number;
  readonly end: number;
}
