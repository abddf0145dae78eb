// What the previous request of a project, skill, model and format looked like. It is an explicit input: read once, digested into the
// receipt, and written back with the answer.
import * as z from 'zod';
import type { Hash } from '../../core/model/press.js';
import type { Page } from '../../core/model/prompt.js';
import { type RecentMemory, recentMemory } from '../../meters/recent-memory.js';
import type { WindowAnchor } from '../documents/anchored-window.js';
import type { PromptFormat } from '../layers/layered-recipe.js';
import type { PressedLayers } from './press-layers.js';

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

const histories = new WeakMap<object, { readonly history: PromptHistory | undefined }>();

/** A state that does not read as one counts as none. */
export function readHistory(value: unknown): PromptHistory | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const known = histories.get(value) ?? { history: historyState.safeParse(value).data };
  histories.set(value, known);
  return known.history;
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

// The part of a prompt that should not change from request to request: what was kept of Rules and Settings, wherever it
// stands, and what a skill says each time. Equal content gives an equal hash; where it differs, the first difference is named.
export interface StablePrefix {
  readonly hash: string;
  /** Fragment ids in their order, and what each says, as digests. */
  readonly lines: readonly PrefixLine[];
}

export type PrefixLine = readonly [fragment: string, digest: string];

export interface PrefixChange {
  readonly fragment: string;
  readonly reason: 'added' | 'removed' | 'changed' | 'moved';
}

const stableLayers: ReadonlySet<string> = new Set(['rules', 'people', 'settings']);
const usualDialect = 'layered-zh';

export function stablePrefix(
  { parts }: Pick<Page, 'parts'>,
  fragments: PressedLayers['fragments'],
  { dialect, hash }: { readonly dialect: string; readonly hash: Hash },
): StablePrefix {
  // Marks and the frame are ours and no fragments of the project.
  const stable = new Set(
    fragments
      .filter(
        ({ layer, section, source }) =>
          (stableLayers.has(layer) || section === 'skill') && source !== 'galley',
      )
      .map(({ id }) => id),
  );
  // Headings are no fragments: a dialect other than the usual one has a line of its own, so that a change of language shows.
  const contents = dialect === usualDialect ? [] : [dialect];
  const lines: PrefixLine[] = contents.map((name) => [`dialect:${name}`, hash(name).slice(0, 12)]);
  for (const { text, spans } of parts) {
    const own = spans.filter(({ fragment }) => stable.has(fragment));
    if (own.length === 0) continue;
    // Places are in bytes, and a unit of the text is at least one.
    const bytes = Buffer.from(text.slice(0, own.at(-1)?.end));
    for (const { fragment, start, end } of own) {
      const words = bytes.toString('utf8', start, end);
      contents.push(`${words.length}:${words}`);
      lines.push([fragment, digestOf(words, hash)]);
    }
  }
  return { hash: hash(contents.join('\n')), lines };
}

const digests = new WeakMap<Hash, RecentMemory<string, string>>();

/** Rules and cards say the same for hours. */
function digestOf(words: string, hash: Hash): string {
  const known = digests.get(hash) ?? recentMemory<string, string>(2_000);
  digests.set(hash, known);
  const digest = known.get(words) ?? hash(words).slice(0, 12);
  known.set(words, digest);
  return digest;
}

export function prefixChange(
  before: readonly PrefixLine[],
  after: readonly PrefixLine[],
): PrefixChange | undefined {
  const at = after.findIndex(
    ([id, digest], index) => id !== before[index]?.[0] || digest !== before[index]?.[1],
  );
  const old = at < 0 ? before[after.length] : before[at];
  const now = at < 0 ? undefined : after[at];
  if (now === undefined) return old === undefined ? undefined : { fragment: old[0], reason: 'removed' };
  if (old === undefined) return { fragment: now[0], reason: 'added' };
  if (old[0] === now[0]) return { fragment: now[0], reason: 'changed' };
  if (!after.some(([id]) => id === old[0])) return { fragment: old[0], reason: 'removed' };
  return { fragment: now[0], reason: before.some(([id]) => id === now[0]) ? 'moved' : 'added' };
}
