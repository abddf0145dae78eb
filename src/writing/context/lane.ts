// What the previous request of a project, skill and model looked like. It is an explicit input: read once, digested into the
// receipt, and written back with the answer.
import * as z from 'zod';
import type { Hash } from '../../core/model/ports.js';
import type { WindowAnchor } from '../documents/anchored-window.js';

const textMark = z.strictObject({
  /** Where a cache breakpoint stood in the text, in code points. */
  end: z.number(),
  /** Of the text from its start to that place. */
  digest: z.string(),
});

const heldPassage = z.strictObject({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  /** Hash of the document it was found in. */
  document: z.string(),
});

const laneState = z.strictObject({
  prefix: z.string(),
  lines: z.array(z.tuple([z.string(), z.string()])),
  /** Passages in the order in which they were shown. */
  retrieved: z.array(z.string()),
  /** Where the text of a document started when it did not fit. */
  anchors: z.array(
    z.tuple([
      z.string(),
      z.strictObject({
        start: z.number(),
        surroundings: z.string(),
        marks: z.array(textMark).optional(),
        passages: z.array(heldPassage).optional(),
      }),
    ]),
  ),
});

export type LaneState = z.infer<typeof laneState>;
export type TextMark = z.infer<typeof textMark>;
export type HeldPassage = z.infer<typeof heldPassage>;

export interface LaneAnchor extends WindowAnchor {
  readonly marks?: TextMark[] | undefined;
  /** The passages that stood before the text. */
  readonly passages?: HeldPassage[] | undefined;
}

export interface LaneRecord {
  /** Of the history that was at hand; undefined on the first request. */
  readonly digest: string | undefined;
  /** Whether the history had a say in this answer. */
  readonly used: boolean;
  /** Fragments that were not offered because the history keeps the prompt steady. */
  readonly withheld: number;
  readonly window?: string;
}

const mostAnchors = 16;

export function laneName(skillId: string, model: string): string {
  return `context ${JSON.stringify([skillId, model])}`;
}

/** A state that does not read as one counts as none. */
export function readLane(value: unknown): LaneState | undefined {
  const parsed = laneState.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

export function laneDigest(state: LaneState | undefined, hash: Hash): string | undefined {
  return state === undefined ? undefined : hash(JSON.stringify(state)).slice(0, 16);
}

export function anchorOf(state: LaneState | undefined, documentId: string): LaneAnchor | undefined {
  return state?.anchors.find(([id]) => id === documentId)?.[1];
}

export function withAnchor(
  anchors: LaneState['anchors'],
  documentId: string,
  anchor: LaneAnchor | undefined,
): LaneState['anchors'] {
  const others = anchors.flatMap(([id, { passages: _, ...rest }]): LaneState['anchors'] =>
    id === documentId ? [] : [[id, rest]],
  );
  const own: LaneState['anchors'] = [];
  if (anchor !== undefined) {
    const { start, surroundings, marks = [], passages = [] } = anchor;
    own.push([documentId, { start, surroundings, marks, passages }]);
  }
  return [...own, ...others].slice(0, mostAnchors);
}
