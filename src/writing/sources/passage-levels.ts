// How may a passage be shown? Whole, or cut to its telling parts. One that is found again gives the same levels, so that whoever
// remembers something about their words finds it at once.
import { LRUCache } from 'lru-cache';
import type { Level } from '../../core/model/fragment.js';
import type { ChunkHit } from '../../store/tables/chunks.js';
import { indexText } from '../documents/indexed-text.js';
import { type LayerBody, textOf } from '../layers/layer-fragment.js';
import { estimateTokens } from '../layers/scene.js';
import { tellingCuts, tellingWorth } from '../retrieval/telling-cuts.js';

type Titled = LayerBody & { readonly kind: 'titled' };

/** How much a term tells. */
type Telling = ReadonlyMap<string, number>;

export interface FoundPassage {
  /** As it was found. */
  readonly raw: string;
  readonly body: Titled;
  readonly whole: readonly Level<LayerBody>[];
  /** A guess. */
  readonly tokens: number;
}

const mostPassages = 4_000;
const passages = new LRUCache<string, FoundPassage>({ max: mostPassages });

export function foundPassage(
  { chunkId, text: raw }: Pick<ChunkHit, 'chunkId' | 'text'>,
  { title, isLater }: { readonly title: string; readonly isLater: boolean },
): FoundPassage {
  const known = passages.get(chunkId);
  if (known?.raw === raw && known.body.title === title && known.body.isLater === isLater) return known;
  const text = textOf(raw);
  const body: Titled = { kind: 'titled', title, text, isLater };
  const fresh = { raw, body, whole: [{ name: 'whole', body }], tokens: estimateTokens(text) };
  passages.set(textOf(chunkId), fresh);
  return fresh;
}

const guesses = new LRUCache<string, number>({ max: mostPassages });

/** Of all of them, about. */
export function guessedTokens(hits: readonly ChunkHit[]): number {
  return hits.reduce((sum, { contentHash, text }) => {
    const guess = guesses.get(contentHash) ?? estimateTokens(text);
    guesses.set(contentHash, guess);
    return sum + guess;
  }, 0);
}

const finelyCut = 4;
const fineCuts = { least: 24, growth: 1.2 };
const mostCut = 24;
const coarseCuts = { least: 60, growth: 1.8 };

type Cuts = WeakMap<LayerBody, readonly Level<LayerBody>[]>;

/** A question asked again, a word later, cuts most passages as before. */
const knownCuts = new WeakMap<Telling, { readonly fine: Cuts; readonly coarse: Cuts }>();

/** Fullest first. The best ones are cut finely; what ranks low is shown whole or not at all. `place` counts from one. */
export function passageLevels(
  { body, whole }: FoundPassage,
  telling: Telling,
  place: number,
): readonly Level<LayerBody>[] {
  if (place > mostCut || telling.size === 0) return whole;
  const { fine, coarse } = knownCuts.get(telling) ?? { fine: new WeakMap(), coarse: new WeakMap() };
  knownCuts.set(telling, { fine, coarse });
  const [cuts, sizes] = place <= finelyCut ? [fine, fineCuts] : [coarse, coarseCuts];
  const known = cuts.get(body);
  if (known !== undefined) return known;
  const indexed = indexText(body.text);
  const shorter = tellingCuts(indexed, telling, sizes)
    .reverse()
    .map((cut) => cut.map((range) => indexed.slice(range).trim()).filter((part) => part !== ''))
    .map((parts): Level<LayerBody> => {
      const size = parts.reduce((sum, part) => sum + part.length, 0);
      return { name: `trimmed to ${size} of ${body.text.length}`, body: { ...body, parts } };
    });
  const levels = [...whole, ...shorter];
  cuts.set(body, levels);
  return levels;
}

/** Among so many of the best, passages of one chapter are put in order by what they tell. */
const reordered = 8;
const tellingShare = 0.5;

/** Passages of one chapter support each other in the ranking; which of them comes first is for the sentence that tells most. */
export function mostTellingFirst(hits: readonly ChunkHit[], telling: Telling): readonly ChunkHit[] {
  const first = hits.slice(0, reordered);
  const byDocument = new Map<string, number[]>();
  first.forEach(({ documentId }, place) => {
    byDocument.set(documentId, [...(byDocument.get(documentId) ?? []), place]);
  });
  const result = [...hits];
  for (const places of byDocument.values()) {
    if (places.length < 2) continue;
    const group = places.map((place) => first[place]!);
    const worths = worthsOf(group, telling);
    const most = Math.max(...worths);
    const best = group[0]!.score;
    const merit = (index: number) =>
      group[index]!.score / best + tellingShare * (most === 0 ? 0 : worths[index]! / most);
    const order = [...group.keys()].sort((a, b) => merit(b) - merit(a) || a - b);
    order.forEach((from, at) => {
      result[places[at]!] = { ...group[from]!, score: group[at]!.score };
    });
  }
  return result;
}

const knownWorths = new WeakMap<Telling, LRUCache<string, readonly number[]>>();

function worthsOf(group: readonly ChunkHit[], telling: Telling): readonly number[] {
  const worths = knownWorths.get(telling) ?? new LRUCache<string, readonly number[]>({ max: 64 });
  knownWorths.set(telling, worths);
  const name = group.map(({ contentHash }) => contentHash).join(' ');
  const known = worths.get(name);
  if (known !== undefined) return known;
  const fresh = tellingWorth(
    group.map(({ text }) => text),
    telling,
  );
  worths.set(name, fresh);
  return fresh;
}
