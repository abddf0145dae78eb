// The composed text: pages of parts, with spans that map every byte back to its fragment.
import type { Channel } from './recipe.js';

/** Half-open range of UTF-8 bytes within a part. */
export interface Span {
  readonly fragment: string;
  readonly start: number;
  readonly end: number;
}

export interface Breakpoint {
  readonly offset: number;
  readonly section: string;
  /** Covers every byte of the page up to the offset. */
  readonly fingerprint: string;
}

export interface Part {
  readonly channel: Channel;
  readonly text: string;
  readonly bytes: number;
  readonly spans: readonly Span[];
  readonly breakpoints: readonly Breakpoint[];
  /** Bytes of the leading stable sections. */
  readonly stableBytes: number;
}

export interface Page {
  readonly parts: readonly Part[];
  readonly weight: number;
}

export interface Prompt {
  readonly pages: readonly Page[];
}

export function partText(page: Page | undefined, channel: Channel): string {
  return page?.parts.find((part) => part.channel === channel)?.text ?? '';
}
