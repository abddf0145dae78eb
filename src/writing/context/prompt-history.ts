// What the previous request of a project, skill, model and format looked like. It is an explicit input: read once, digested into the
// receipt, and written back with the answer.
import * as z from 'zod';
import type { Hash } from '../../core/model/press.js';
import type { WindowAnchor } from '../documents/anchored-window.js';
import type { PromptFormat } from '../layers/layered-recipe.js';

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
  /** Hash of the document it was found in; empty for the one being written. */
  document: z.string(),
  /** Where it stands there, in prompts that say so. */
  ref: z
    .strictObject({
      path: z.string(),
      lines: z.strictObject({ start: z.number(), end: z.number() }).optional(),
    })
    .optional(),
});

const historyState = z.strictObject({
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

export type PromptHistory = z.infer<typeof historyState>;
export type TextMark = z.infer<typeof textMark>;
export type HeldPassage = z.infer<typeof heldPassage>;

export interface HistoryAnchor extends WindowAnchor {
  readonly marks?: TextMark[] | undefined;
  /** The passages that stood before the text. */
  readonly passages?: HeldPassage[] | undefined;
}

export interface HistoryRecord {
  /** Of the history that was at hand; undefined on the first request. */
  readonly digest: string | undefined;
  /** Whether the history had a say in this answer. */
  readonly used: boolean;
  /** Fragments that were not offered because the history keeps the prompt steady. */
  readonly withheld: number;
  readonly window?: string;
}

const mostAnchors = 16;

export function historyName(skillId: string, model: string, format: PromptFormat): string {
  return `${format === 'layers' ? 'context' : format} ${JSON.stringify([skillId, model])}`;
}

/** A state that does not read as one counts as none. */
export function readHistory(value: unknown): PromptHistory | undefined {
  const parsed = historyState.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

export function historyDigest(state: PromptHistory | undefined, hash: Hash): string | undefined {
  return state === undefined ? undefined : hash(JSON.stringify(state)).slice(0, 16);
}

export function anchorOf(state: PromptHistory | undefined, documentId: string): HistoryAnchor | undefined {
  return state?.anchors.find(([id]) => id === documentId)?.[1];
}

export function withAnchor(
  anchors: PromptHistory['anchors'],
  documentId: string,
  anchor: HistoryAnchor | undefined,
): PromptHistory['anchors'] {
  const others = anchors.flatMap(([id, { passages: _, ...rest }]): PromptHistory['anchors'] =>
    id === documentId ? [] : [[id, rest]],
  );
  const own: PromptHistory['anchors'] = [];
  if (anchor !== undefined) {
    const { start, surroundings, marks = [], passages = [] } = anchor;
    own.push([documentId, { start, surroundings, marks, passages }]);
  }
  return [...own, ...others].slice(0, mostAnchors);
}
