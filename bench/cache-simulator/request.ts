// What a provider sees of one request, and the function type through which any engine is plugged in.
import type { SessionStep } from './editing-session.js';

export interface SimulatedRequest {
  readonly model: string;
  /** The whole prompt as sent, in UTF-8. */
  readonly bytes: Uint8Array;
  /** Byte offsets at which content blocks end, ascending; the last one is the length. */
  readonly blockEnds: readonly number[];
  /** Byte offsets of cache markers; each is a block end. */
  readonly markers: readonly number[];
}

export type Engine = (step: SessionStep) => SimulatedRequest | Promise<SimulatedRequest>;

/** Builds a request from its blocks; an empty block is left out together with its marker. */
export function requestOf(
  model: string,
  blocks: readonly { readonly text: string; readonly marker?: boolean }[],
): SimulatedRequest {
  const full = blocks.filter((block) => block.text !== '');
  const blockEnds: number[] = [];
  const markers: number[] = [];
  let end = 0;
  for (const block of full) {
    end += Buffer.byteLength(block.text, 'utf8');
    blockEnds.push(end);
    if (block.marker === true) markers.push(end);
  }
  return { model, bytes: Buffer.from(full.map((block) => block.text).join(''), 'utf8'), blockEnds, markers };
}
