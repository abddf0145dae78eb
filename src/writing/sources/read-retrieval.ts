// Passages of the project that tell something about what is being written, up to this point of the story. Likeness ranks them,
// reading order places them; text that is read around the cursor anyway is left out.
import { LRUCache } from 'lru-cache';
import type { Warning } from '../../core/model/error.js';
import { GalleyError } from '../../core/model/error.js';
import type { Fragment, Level } from '../../core/model/fragment.js';
import type { ChunkHit } from '../../store/tables/chunks.js';
import { indexText } from '../documents/indexed-text.js';
import { finite, type LayerBody, layerFragment, soundRows, textOf } from '../layers/layer-fragment.js';
import type { LayerInputs, ReadLayer } from '../layers/layer-source.js';
import { mostRetrieved } from '../layers/layered-recipe.js';
import { estimateTokens, laterThan } from '../layers/scene.js';
import { outages } from '../layers/warnings.js';
import { ownPassages } from '../retrieval/chunk-document.js';
import { catchUp } from '../retrieval/follow-documents.js';
import { focusPen, focusQuery } from '../retrieval/query.js';
import { fuseRanks } from '../retrieval/rank-chunks.js';
import { findPassages } from '../retrieval/search-chunks.js';
import { searchTerms } from '../retrieval/search-terms.js';
import { searchVectors } from '../retrieval/search-vectors.js';
import { type CutSizes, tellingCuts, tellingWorth } from '../retrieval/telling-cuts.js';
import { untold } from '../story/story-time.js';

/** Enough for the largest usual window; more candidates would only be given up again. */
const allowanceTokens = 24_000;
/** Passages of the usual size use up the allowance well before; short ones may all be wanted. */
const usualHits = 80;
/** More than may compete, so that what is cut can be told. */
const mostHits = mostRetrieved + 56;
/** Of later chapters, to say what was left out. */
const laterHits = 16;
const chapterStride = 1_000_000;
/** Among so many of the best, passages of one chapter are put in order by what they tell. */
const reordered = 8;
const tellingShare = 0.5;
const finelyCut = 4;
const fineCuts = { least: 24, growth: 1.2 };
const mostCut = 24;
const coarseCuts = { least: 60, growth: 1.8 };

export const readRetrieval: ReadLayer = async (inputs, signal) => {
  const { store, scene, note, leave } = inputs;
  const { project, entries, documentId } = scene;
  if (entries === undefined)
    throw new GalleyError('STORE_UNAVAILABLE', 'Without its chapters nobody knows what comes later.');
  const { behind, indexed } = await catchUp(store, project, entries);
  if (behind > 0) note(staleIndex(behind));
  const chapters = new Map(entries.map((entry, index) => [entry.id, { entry, index }]));
  const titles = new Map(entries.map(({ id, title }) => [id, title]));
  const isLater = laterThan(scene);
  const later = scene.later === 'marked' ? [] : entries.filter(isLater).map(({ id }) => id);
  const outside = [documentId, ...later];

  const terms = searchTerms(scene);
  const places = new Map(entries.map(({ id }, index) => [id, index]));
  const query = { project, terms, indexed, titles, chapters: places, outside, own: ownPassages(scene) };
  const found = await findPassages(store, { ...query, limit: usualHits });
  const { question, lead } = terms;
  const telling = question === '' ? focusPen(lead, found.statistics) : focusQuery(question, found.statistics);
  let { hits } = found;
  const offered = hits.reduce((tokens, { text }) => tokens + estimateTokens(text), 0);
  if (hits.length >= usualHits && offered < allowanceTokens)
    ({ hits } = await findPassages(store, { ...query, limit: mostHits }));
  hits = mostTellingFirst(hits, telling);
  hits = await withLikeOnes(hits, inputs, { about: terms.about, signal });
  if (later.length > 0) hits = [...hits, ...(await laterOnes())];

  const best = hits[0]?.score ?? 1;
  const cursor = scene.indexed.positionAt(scene.window.end);
  let spent = 0;
  let place = 0;
  return soundRows(hits, 'retrieval', {
    note,
    read: (hit): Fragment<LayerBody> | undefined => {
      const text = textOf(hit.text);
      const id = `chunk:${textOf(hit.chunkId)}`;
      if (text === '') return undefined;
      const chapter = chapters.get(hit.documentId);
      const comesLater = hit.documentId === documentId ? hit.start >= cursor : isLater(chapter?.entry);
      if (comesLater && scene.later !== 'marked') {
        leave?.(untold({ id, source: 'retrieval' }, 'later'));
        return undefined;
      }
      if (scene.tellsSecret?.(text)) {
        leave?.(untold({ id, source: 'retrieval' }, 'secret'));
        return undefined;
      }
      spent += estimateTokens(text);
      if (spent > allowanceTokens) return undefined;
      const body = { kind: 'titled', title: chapter?.entry.title ?? '', text, isLater: comesLater } as const;
      const fragment = layerFragment(project, {
        id,
        source: 'retrieval',
        layer: 'retrieved',
        section: 'retrieved',
        rank: finite(hit.score) / (best === 0 ? 1 : best),
        position: (chapter?.index ?? chapters.size) * chapterStride + finite(hit.ordinal),
        body,
      });
      place += 1;
      return { ...fragment, levels: [...fragment.levels, ...shorterLevels(body, telling, place)] };
    },
  });

  /** Looked for on their own, so that they crowd out nothing. */
  async function laterOnes(): Promise<readonly ChunkHit[]> {
    const known = new Set(later);
    const others = indexed.map((document) => document.documentId).filter((id) => !known.has(id));
    const among = { project, terms, indexed, titles, outside: others };
    return (await findPassages(store, { ...among, limit: laterHits })).hits;
  }
};

/** Passages of one chapter support each other in the ranking; which of them comes first is for the sentence that tells most. */
function mostTellingFirst(
  hits: readonly ChunkHit[],
  telling: ReadonlyMap<string, number>,
): readonly ChunkHit[] {
  const first = hits.slice(0, reordered);
  const byDocument = new Map<string, number[]>();
  first.forEach(({ documentId }, place) => {
    byDocument.set(documentId, [...(byDocument.get(documentId) ?? []), place]);
  });
  const result = [...hits];
  for (const places of byDocument.values()) {
    if (places.length < 2) continue;
    const group = places.map((place) => first[place]!);
    const worths = tellingWorth(
      group.map(({ text }) => text),
      telling,
    );
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

/** Fullest first. The best ones are cut finely; what ranks low is shown whole or not at all. */
function shorterLevels(
  body: LayerBody & { kind: 'titled' },
  telling: ReadonlyMap<string, number>,
  place: number,
): Level<LayerBody>[] {
  if (place > mostCut || telling.size === 0) return [];
  return shorterParts(body.text, telling, place <= finelyCut ? fineCuts : coarseCuts).map((parts) => {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    return { name: `trimmed to ${size} of ${body.text.length}`, body: { ...body, parts } };
  });
}

type PartsOf = LRUCache<string, readonly (readonly string[])[]>;
/** A question asked again, a word later, cuts most passages as before. */
const knownCuts = new LRUCache<string, PartsOf>({ max: 8 });

function shorterParts(
  text: string,
  telling: ReadonlyMap<string, number>,
  sizes: CutSizes,
): readonly (readonly string[])[] {
  const asked = JSON.stringify([sizes, [...telling]]);
  const known: PartsOf = knownCuts.get(asked) ?? new LRUCache({ max: 200 });
  knownCuts.set(asked, known);
  const before = known.get(text);
  if (before !== undefined) return before;
  const indexed = indexText(text);
  const cuts = tellingCuts(indexed, telling, sizes)
    .reverse()
    .map((cut) => cut.map((range) => indexed.slice(range).trim()).filter((part) => part !== ''));
  known.set(text, cuts);
  return cuts;
}

/** Found by words and found by meaning, in one ranking; by words alone when the server has nothing to say. */
async function withLikeOnes(
  hits: readonly ChunkHit[],
  { store, scene: { project, documentId }, embeddings: source, note }: LayerInputs,
  { about, signal }: { about: string; signal: AbortSignal },
): Promise<readonly ChunkHit[]> {
  if (source === undefined) return hits;
  try {
    const limit = usualHits;
    const { hits: like, behind } = await searchVectors(store, { project, about, limit, source, signal });
    if (behind) note(staleVectors);
    const others = like.filter((hit) => hit.documentId !== documentId);
    return others.length === 0 ? hits : fuseHits(hits, others).slice(0, Math.max(hits.length, limit));
  } catch {
    signal.throwIfAborted();
    note(outages.embeddings);
    return hits;
  }
}

function fuseHits(...rankings: readonly (readonly ChunkHit[])[]): ChunkHit[] {
  const byId = new Map(rankings.flat().map((hit) => [hit.chunkId, hit]));
  const fused = fuseRanks(rankings.map((hits) => hits.map(({ chunkId }) => ({ id: chunkId }))));
  return fused.flatMap(({ id, score }) => {
    const hit = byId.get(id);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
}

const staleVectors: Warning = {
  code: 'RETRIEVAL_STALE',
  message: 'RETRIEVAL_STALE: 语义索引正在更新',
};

function staleIndex(documents: number): Warning {
  const message = `RETRIEVAL_STALE: 检索索引正在更新，尚有 ${documents} 个文档`;
  return { code: 'RETRIEVAL_STALE', message, details: { documents } };
}
