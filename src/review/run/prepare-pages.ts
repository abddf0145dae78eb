// Everything that is known before the first call: what will be sent, what it weighs, and which answers are there already. Texts are
// made again when their turn comes, so a review of any size holds only facts.

import type { HiddenText, Redaction } from '../../cleaning/clean-text.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import { providerProfileFor } from '../../models/catalog/provider-profiles.js';
import { endpoints } from '../../models/http/endpoint.js';
import type { Finding } from '../findings/finding.js';
import type { ChunkPiece } from '../pages/page-set.js';
import { composePage, composeShared } from './compose-page.js';
import { fingerprintOf, type KeptAnswers, keptReview } from './kept-answers.js';
import { reviewerSystem, reviewerVersion } from './reviewer-system.js';
import type { Survey } from './survey-pages.js';

export interface PreparedPage {
  readonly index: number;
  readonly fingerprint: string;
  readonly tokens: number;
  readonly pieces: readonly ChunkPiece[];
  /** From an earlier run. */
  readonly findings?: readonly Finding[];
}

export interface PreparedReview {
  readonly system: string;
  readonly shared: string;
  /** Of system and shared text, which a provider may keep; 0 where that is too little to be kept. */
  readonly cacheableTokens: number;
  readonly pages: readonly PreparedPage[];
  readonly redactions: readonly Redaction[];
  readonly hidden: readonly HiddenText[];
  promptOf(page: number): Promise<string>;
}

export interface PrepareWish {
  readonly model: string;
  readonly meter: Meter;
  readonly language?: string | undefined;
  readonly skipped?: ReadonlySet<string> | undefined;
  readonly kept?: KeptAnswers | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function preparePages(survey: Survey, wish: PrepareWish): Promise<PreparedReview> {
  const { model, meter, skipped, kept } = wish;
  const system = reviewerSystem(wish.language);
  const tokensOf = (text: string) => amountOf(meter, meter.weigh(text)).n;
  const first = survey.total === 0 ? undefined : await survey.read(1);
  const shared = composeShared({ rules: first?.rules ?? [], instructions: first?.instructions });
  const commonTokens = tokensOf(system) + tokensOf(shared.text);
  const redactions = [...shared.redactions];
  const hidden = [...shared.hidden];
  const compose = async (page: number) => composePage(await survey.read(page), { page, skipped });
  const pages: PreparedPage[] = [];
  for (const { index, pieces } of survey.pages) {
    wish.signal?.throwIfAborted();
    const sent = pieces.filter(({ path }) => skipped?.has(path) !== true);
    if (sent.length === 0) continue;
    const own = await compose(index);
    redactions.push(...own.redactions);
    hidden.push(...own.hidden);
    const prompt = shared.text + own.text;
    const fingerprint = fingerprintOf({ model, system, prompt, version: reviewerVersion });
    const earlier = await kept?.get(fingerprint, keptReview);
    pages.push({
      index,
      fingerprint,
      tokens: commonTokens + tokensOf(own.text),
      pieces: sent.map((piece) => (own.altered.includes(piece) ? { ...piece, applicable: false } : piece)),
      ...(earlier === undefined ? {} : { findings: earlier.findings }),
    });
  }
  return {
    system,
    shared: shared.text,
    cacheableTokens: isKept(model, commonTokens) ? commonTokens : 0,
    pages,
    redactions,
    hidden,
    promptOf: async (page) => shared.text + (await compose(page)).text,
  };
}

/** What agent CLIs and replays cache is not ours to know. */
function isKept(model: string, tokens: number): boolean {
  const [family] = model.split('/');
  return endpoints.some(({ name }) => name === family) && tokens >= providerProfileFor(model).minimumTokens;
}
