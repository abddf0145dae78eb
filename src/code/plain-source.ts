// What the outlines without a syntax tree read.
import type { CommentStyle } from './comment-scan.js';
import type { LineIndex } from './line-index.js';

export interface PlainSource {
  readonly language: string;
  readonly text: string;
  readonly lines: LineIndex;
  readonly kinds: Uint8Array;
  readonly comments: readonly number[];
  readonly style: CommentStyle;
}
