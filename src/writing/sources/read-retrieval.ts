// Passages of the project that tell something about what is being written, up to this point of the story. Likeness ranks them,
// reading order places them; text that is read around the cursor anyway is left out.
import type { Warning } from '../../core/model/error.js';
import { GalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { ChunkHit } from '../../store/tables/chunks.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { finite, type LayerBody, soundRows, textOf } from '../layers/layer-fragment.js';
import type { LayerInputs, ReadLayer } from '../layers/layer-source.js';
import { mostRetrieved } from '../layers/layered-recipe.js';
import { laterThan } from '../layers/scene.js';
import { outages } from '../layers/warnings.js';
import { ownPassages } from '../retrieval/chunk-document.js';
import { catchUp } from '../retrieval/follow-documents.js';
import { fuseRanks } from '../retrieval/rank-chunks.js';
import { findPassages } from '../retrieval/search-chunks.js';
import { searchTerms } from '../retrieval/search-terms.js';
import { searchVectors } from '../retrieval/search-vectors.js';
import { untold } from '../story/story-time.js';
import { foundPassage, guessedTokens, mostTellingFirst, passageLevels } from './passage-levels.js';

/** Enough for the largest usual window; more candidates would only be given up again. */
const allowanceTokens = 24_000;
/** Passages of the usual size use up the allowance well before; short ones may all be wanted. */
const usualHits = 80;
/** More than may compete, so that what is cut can be told. */
const mostHits = mostRetrieved + 56;
/** Of later chapters, to say what was left out. */
const laterHits = 16;
const chapterStride = 1_000_000;

export const readRetrieval: ReadLayer = async (inputs, signal) => {
  const { store, scene, note, leave } = inputs;
  const { project, entries, documentId } = scene;
  if (entries === undefined)
    throw new GalleyError('STORE_UNAVAILABLE', 'Without its chapters nobody knows what comes later.');
  const { behind, indexed } = await catchUp(store, project, entries);
  if (behind > 0) note(staleIndex(behind));
  const { titles, places } = chapterMaps(entries);
  const isLater = laterThan(scene);
  const later = scene.later === 'marked' ? [] : entries.filter(isLater).map(({ id }) => id);
  const outside = [documentId, ...later];

  const terms = searchTerms(scene);
  const query = { project, terms, indexed, titles, chapters: places, outside, own: ownPassages(scene) };
  const found = await findPassages(store, { ...query, limit: usualHits });
  const telling = found.focus;
  let { hits } = found;
  if (hits.length >= usualHits && guessedTokens(hits) < allowanceTokens)
    ({ hits } = await findPassages(store, { ...query, limit: mostHits }));
  hits = mostTellingFirst(hits, telling);
  hits = await withLikeOnes(hits, inputs, { about: terms.about, signal });
  if (later.length > 0) hits = [...hits, ...(await laterOnes())];

  const best = hits[0]?.score ?? 1;
  const cursor = scene.indexed.positionAt(scene.window.end);
  const scope = { project };
  let spent = 0;
  let place = 0;
  return soundRows(hits, 'retrieval', {
    note,
    read: (hit): Fragment<LayerBody> | undefined => {
      const id = `chunk:${textOf(hit.chunkId)}`;
      const index = places.get(hit.documentId);
      const entry = index === undefined ? undefined : entries[index];
      const comesLater = hit.documentId === documentId ? hit.start >= cursor : isLater(entry);
      const passage = foundPassage(hit, { title: entry?.title ?? '', isLater: comesLater });
      const { text } = passage.body;
      if (text === '') return undefined;
      if (comesLater && scene.later !== 'marked') {
        leave?.(untold({ id, source: 'retrieval' }, 'later'));
        return undefined;
      }
      if (scene.tellsSecret?.(text)) {
        leave?.(untold({ id, source: 'retrieval' }, 'secret'));
        return undefined;
      }
      spent += passage.tokens;
      if (spent > allowanceTokens) return undefined;
      const rank = finite(hit.score) / (best === 0 ? 1 : best);
      const position = (index ?? places.size) * chapterStride + finite(hit.ordinal);
      place += 1;
      return {
        id,
        source: 'retrieval',
        layer: 'retrieved',
        section: 'retrieved',
        rank,
        position,
        scope,
        levels: passageLevels(passage, telling, place),
      };
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

interface ChapterMaps {
  /** By document id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, number>;
}

const chapterMapsOf = new WeakMap<readonly DocumentEntry[], ChapterMaps>();

/** The same list of chapters comes with every key. */
function chapterMaps(entries: readonly DocumentEntry[]): ChapterMaps {
  const maps = chapterMapsOf.get(entries) ?? {
    titles: new Map(entries.map(({ id, title }) => [id, title])),
    places: new Map(entries.map(({ id }, index) => [id, index])),
  };
  chapterMapsOf.set(entries, maps);
  return maps;
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
