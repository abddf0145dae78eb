// What a run is about to do, in figures: what the model gets, what is kept back, and what it may cost at most.
import { type Catalog, costOf, rowFor } from '../../models/catalog/catalog.js';
import { isPresent } from '../context/context-result.js';
import { openSecrets } from '../entities/secrets.js';
import { numberingOf } from '../entities/story-numbering.js';
import { laterThan } from '../layers/scene.js';
import type { SkillPiece } from './pieces.js';

export interface RunOutlook {
  readonly calls: number;
  /** Of all prompts together. */
  readonly tokens: number;
  readonly passages: number;
  readonly people: number;
  /** Secrets and chapters that the model is not told of. */
  readonly secrets: number;
  readonly laterChapters: number;
  /** With every rewrite that may come; absent where the price is not known. */
  readonly mostDollars?: number;
}

interface Plan {
  readonly model: string;
  readonly catalog: Catalog | undefined;
  /** How often each piece is written at most. */
  readonly drafts: number;
}

/** Tokens of an answer where nobody says how long one may be. */
export const usualAnswer = 8_192;

export async function runOutlook(
  pieces: readonly SkillPiece[],
  { model, catalog, drafts }: Plan,
): Promise<RunOutlook> {
  const lines = pieces.flatMap(({ call }) => call.assembled.receipt.ledger.filter(isPresent));
  const from = (source: string) =>
    new Set(lines.flatMap((line) => (line.source === source ? [line.fragment] : []))).size;
  const tokens = pieces.reduce((sum, { call }) => sum + call.assembled.tokens, 0);
  const outputTokens = pieces.length * (rowFor(model, catalog)?.mostOutput ?? usualAnswer);
  const cost = costOf({ inputTokens: tokens * drafts, outputTokens: outputTokens * drafts }, model, catalog);
  return {
    calls: pieces.length,
    tokens,
    passages: from('retrieval'),
    people: from('entities'),
    ...(await keptBack(pieces[0])),
    ...(cost === undefined ? {} : { mostDollars: cost.dollars }),
  };
}

/** What cannot be read just now is not in the prompt either. */
async function keptBack(
  piece: SkillPiece | undefined,
): Promise<Pick<RunOutlook, 'secrets' | 'laterChapters'>> {
  if (piece === undefined) return { secrets: 0, laterChapters: 0 };
  const { scene, store } = piece.call.set;
  const entries = scene.entries ?? [];
  const isLater = laterThan(scene);
  const entities = await store.entities.list(scene.project).catch(() => []);
  let secrets = 0;
  try {
    secrets = openSecrets(entities, scene.chapter, numberingOf(entries)).length;
  } catch {
    // A card that makes no sense is named where cards are read.
  }
  return { secrets, laterChapters: scene.later === 'marked' ? 0 : entries.filter(isLater).length };
}
