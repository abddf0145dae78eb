// What ranking must know of a file's structure; any parser, or none, can answer.

export interface OutlineSymbol {
  readonly name: string;
  readonly kind: string;
  /** One-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface FileOutline {
  readonly symbols: readonly OutlineSymbol[];
  /** Module specifiers as written. */
  readonly imports: readonly string[];
}
