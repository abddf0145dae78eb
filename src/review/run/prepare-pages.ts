// Everything that is known before the first call: what will be sent, what it weighs, and which answers are there already. Texts are
// set again when their turn comes, so a review of any size holds only facts.
import type { HiddenText, Redaction } from '../../cleaning/clean-text.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { providerProfileFor } from '../../models/catalog/provider-profiles.js';
import { endpoints } from '../../models/http/endpoint.js';
import type { Finding } from '../findings/finding.js';
import type { ContextPlace } from '../pages/context-on-pages.js';
import { type ChunkPiece, chunkPiece } from '../pages/page-set.js';
import { answerKey, type KeptAnswers, keptReview } from './kept-answers.js';
import { reviewerVersion } from './reviewer-system.js';
import type { SetReview } from './set-review.js';

export interface PreparedPage {
  readonly index: number;
  /** Of everything the answer depends on. */
  readonly fingerprint: string;
  /** Id of the receipt of what is sent. */
  readonly receipt: string;
  readonly tokens: number;
  readonly pieces: readonly ChunkPiece[];
  readonly context: readonly ContextPlace[];
  /** From an earlier run. */
  readonly findings?: readonly Finding[];
}

export interface PreparedReview {
  readonly system: string;
  /** Of what every page begins with, which a provider may keep; 0 where that is too little to be kept. */
  readonly cacheableTokens: number;
  readonly pages: readonly PreparedPage[];
  readonly redactions: readonly Redaction[];
  readonly hidden: readonly HiddenText[];
  /** One page as one call. */
  seal(page: PreparedPage): SealedPrompt;
}

export interface PrepareWish {
  readonly model: string;
  readonly system: string;
  readonly meter: Meter;
  readonly kept?: KeptAnswers | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function preparePages(set: SetReview, wish: PrepareWish): Promise<PreparedReview> {
  const { model, meter, kept } = wish;
  const redactions: Redaction[] = [];
  const hidden: HiddenText[] = [];
  const pages: PreparedPage[] = [];
  let cacheable = 0;
  let { system } = wish;
  for (const [page, pieces] of set.pages.entries()) {
    wish.signal?.throwIfAborted();
    const sealed = set.seal(page);
    const fingerprint = answerKey([reviewerVersion, model, ...decisiveTexts(sealed)]);
    const earlier = await kept?.get(fingerprint, keptReview);
    for (const clean of set.cleanOf(page)) {
      redactions.push(...clean.redactions);
      hidden.push(...clean.hidden);
    }
    if (page === 0) {
      cacheable = sharedTokens(sealed, meter);
      // Empty for a model that takes none: it stands in the prompt then.
      system = sealed.system;
    }
    pages.push({
      index: page + 1,
      fingerprint,
      receipt: sealed.receipt.id,
      tokens: sealed.receipt.used.n,
      pieces: pieces.map((piece) => ({
        ...chunkPiece(piece),
        ...(set.isAltered(piece) ? { applicable: false } : {}),
      })),
      context: set.contextOf(page),
      ...(earlier === undefined ? {} : { findings: earlier.findings }),
    });
  }
  return {
    system,
    cacheableTokens: isKept(model, cacheable) ? cacheable : 0,
    ...{ pages, redactions, hidden },
    seal: ({ index }) => set.seal(index - 1),
  };
}

/** An answer holds for these texts; what the author says of the change and the map of it may differ. */
const passing = new Set(['intent', 'map', 'fence:open', 'fence:close']);

function decisiveTexts({ system, prompt, receipt }: SealedPrompt): string[] {
  const bytes = Buffer.from(prompt);
  const spans = receipt.pages[0]?.parts.find(({ channel }) => channel === 'prompt')?.spans ?? [];
  const texts = spans
    .filter(({ fragment }) => !passing.has(fragment))
    .map(({ start, end }) => bytes.toString('utf8', start, end));
  return [system, ...texts];
}

/** System text, and the prompt up to its last breakpoint: the same for all pages of a push. */
function sharedTokens({ system, prompt, receipt }: SealedPrompt, meter: Meter): number {
  const part = receipt.pages[0]?.parts.find(({ channel }) => channel === 'prompt');
  const shared = Buffer.from(prompt).toString('utf8', 0, part?.breakpoints.at(-1)?.offset ?? 0);
  return amountOf(meter, meter.weigh(system) + meter.weigh(shared)).n;
}

/** What agent CLIs and replays cache is not ours to know. */
function isKept(model: string, tokens: number): boolean {
  const [family] = model.split('/');
  return endpoints.some(({ name }) => name === family) && tokens >= providerProfileFor(model).minimumTokens;
}
