// One channel of a page: the text, the span of every fragment in bytes, and the cache breakpoints with their fingerprints.
import type { Hash } from '../model/ports.js';
import type { Breakpoint, Part, Span } from '../model/prompt.js';
import type { Channel, Section } from '../model/recipe.js';
import { utf8Length } from '../model/utf8.js';

export interface Block {
  readonly section: Section;
  readonly layer: string;
  readonly fragment?: string;
  readonly text: string;
  readonly separator: string;
  readonly breakpoint?: boolean;
  /** Of text and separator together, measured before. */
  readonly priced?: number;
  /** Of text and separator together, when known beforehand. */
  readonly weight?: number;
}

const mostBreakpoints = 4;

export function partOf(
  channel: Channel,
  blocks: readonly Block[],
  options: { hash: Hash; fingerprint: string },
): { part: Part; fingerprint: string } {
  const spans: Span[] = [];
  const marks = chosenMarks(blocks);
  const breakpoints: Breakpoint[] = [];
  let { fingerprint } = options;
  let bytes = 0;
  let stableBytes = 0;
  let stable = true;
  let segment: string[] = [];
  let text = '';
  const close = () => {
    const words = segment.join('');
    fingerprint = options.hash(`${fingerprint}\n${channel}\n${words}`);
    text += words;
    segment = [];
  };
  blocks.forEach((block, at) => {
    const start = bytes;
    const end = start + utf8Length(block.text);
    bytes = end + utf8Length(block.separator);
    if (block.fragment !== undefined) spans.push({ fragment: block.fragment, start, end });
    stable &&= block.section.stable === true;
    if (stable) stableBytes = bytes;
    segment.push(block.text, block.separator);
    if (!marks.has(at)) return;
    close();
    breakpoints.push({ offset: bytes, section: block.section.id, fingerprint });
  });
  if (segment.length > 0) close();
  return { part: { channel, text, bytes, spans, breakpoints, stableBytes }, fingerprint };
}

/** Providers take four at most: the first one guards the most stable text, the last ones are the longest prefixes. */
function chosenMarks(blocks: readonly Block[]): Set<number> {
  const marks = blocks.flatMap((block, at) => (block.breakpoint ? [at] : []));
  if (marks.length <= mostBreakpoints) return new Set(marks);
  return new Set([...marks.slice(0, 1), ...marks.slice(1 - mostBreakpoints)]);
}
