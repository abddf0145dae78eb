// Everything that is known before the first call: what will be sent, what it weighs, and which answers are there already. Texts are
// set again when their turn comes, so a review of any size holds only facts.
import type { HiddenText, PlacedHit, Redaction } from '../../cleaning/clean-text.js';
import type { Warning } from '../../core/model/error.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { type Page, partText } from '../../core/model/prompt.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import { costOf } from '../../models/catalog/catalog.js';
import { providerProfileFor } from '../../models/catalog/provider-profiles.js';
import type { RunRecord } from '../../models/contract/model.js';
import { endpoints } from '../../models/http/endpoint.js';
import type { ContextPlace } from '../pages/context-on-pages.js';
import { type ChunkPiece, chunkPiece } from '../pages/placed-pieces.js';
import type { SetReview } from '../prompt/laid-review.js';
import { reviewerVersion } from '../prompt/reviewer-system.js';
import { answerKey, type KeptAnswers, type KeptReview, keptReview } from './kept-answers.js';

export interface PreparedPage {
  readonly index: number;
  /** Of everything the answer depends on. */
  readonly fingerprint: string;
  readonly tokens: number;
  readonly pieces: readonly ChunkPiece[];
  readonly context: readonly ContextPlace[];
  /** From an earlier run. */
  readonly answer?: KeptReview;
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

interface PrepareOptions {
  readonly model: string;
  readonly system: string;
  readonly meter: Meter;
  readonly kept?: KeptAnswers | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function preparePages(set: SetReview, options: PrepareOptions): Promise<PreparedReview> {
  const { model, meter, kept } = options;
  const redactions: Redaction[] = [];
  const hidden: HiddenText[] = [];
  const pages: PreparedPage[] = [];
  let cacheable = 0;
  let { system } = options;
  for (const [page, pieces] of set.pages.entries()) {
    options.signal?.throwIfAborted();
    const composed = set.compose(page);
    const fingerprint = answerKey([reviewerVersion, model, ...decisiveTexts(composed)]);
    const earlier = await kept?.get(fingerprint, keptReview);
    for (const clean of set.cleanOf(page)) {
      redactions.push(...clean.redactions);
      hidden.push(...clean.hidden);
    }
    if (page === 0) {
      cacheable = sharedTokens(composed, meter);
      // Empty for a model that takes none: it stands in the prompt then.
      system = partText(composed, 'system');
    }
    pages.push({
      index: page + 1,
      fingerprint,
      tokens: amountOf(meter, composed.weight).n,
      pieces: pieces.map((piece) => ({
        ...chunkPiece(piece),
        ...(set.isAltered(piece) ? { applicable: false } : {}),
      })),
      context: set.contextOf(page),
      ...(earlier === undefined ? {} : { answer: earlier }),
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

function decisiveTexts(page: Page): string[] {
  const { text = '', spans = [] } = promptOf(page) ?? {};
  const bytes = Buffer.from(text);
  const texts = spans
    .filter(({ fragment }) => !passing.has(fragment))
    .map(({ start, end }) => bytes.toString('utf8', start, end));
  return [partText(page, 'system'), ...texts];
}

/** System text, and the prompt up to its last breakpoint: the same for all pages of a push. */
function sharedTokens(page: Page, meter: Meter): number {
  const { text = '', breakpoints = [] } = promptOf(page) ?? {};
  const shared = Buffer.from(text).toString('utf8', 0, breakpoints.at(-1)?.offset ?? 0);
  return amountOf(meter, meter.weigh(partText(page, 'system')) + meter.weigh(shared)).n;
}

const promptOf = ({ parts }: Page) => parts.find(({ channel }) => channel === 'prompt');

/** What agent CLIs and replays cache is not ours to know. */
function isKept(model: string, tokens: number): boolean {
  const [family] = model.split('/');
  return endpoints.some(({ name }) => name === family) && tokens >= providerProfileFor(model).minimumTokens;
}

export interface Estimate {
  readonly pages: number;
  /** Pages without an answer from an earlier run. */
  readonly calls: number;
  readonly inputTokens: number;
  /** Of these, what a provider is likely to have kept. */
  readonly cachedInputTokens: number;
  /** For what is read; what will be answered is not known yet. */
  readonly dollars?: number;
}

/** As it is told before the first call. */
export interface ToldEstimate extends Estimate {
  /** Pages that were answered before and whose findings are looked at again, unless that was done before too. */
  readonly secondLooks?: number;
}

export function secondLooksAt({ pages }: PreparedReview): number {
  return pages.filter(({ answer }) => answer !== undefined && answer.findings.length > 0).length;
}

export function estimateOf(review: PreparedReview, model: string, catalog: Catalog): Estimate {
  const open = review.pages.filter(({ answer }) => answer === undefined);
  const inputTokens = open.reduce((sum, { tokens }) => sum + tokens, 0);
  const cachedInputTokens = Math.max(0, open.length - 1) * review.cacheableTokens;
  const cost = costOf({ inputTokens, cachedInputTokens, outputTokens: 0 }, model, catalog);
  return {
    pages: review.pages.length,
    calls: open.length,
    inputTokens,
    cachedInputTokens,
    ...(cost === undefined ? {} : { dollars: cost.dollars }),
  };
}

export interface Spent {
  readonly calls: number;
  /** What models reported; those that say nothing count as nothing. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly dollars?: number;
}

export function spentOn(runs: readonly RunRecord[]): Spent {
  const sum = (pick: (run: RunRecord) => number | undefined) =>
    runs.reduce((total, run) => total + (pick(run) ?? 0), 0);
  const priced = runs.some(({ cost }) => cost !== undefined);
  return {
    calls: sum(({ attempts }) => attempts),
    inputTokens: sum(({ reported }) => reported?.inputTokens),
    cachedInputTokens: sum(({ reported }) => reported?.cachedInputTokens),
    outputTokens: sum(({ reported }) => reported?.outputTokens),
    ...(priced ? { dollars: sum(({ cost }) => cost?.dollars) } : {}),
  };
}

const maxPaths = 20;

/** What a reader of the report should know about what was sent. */
export function runWarnings(
  { redactions, hidden }: Pick<PreparedReview, 'redactions' | 'hidden'>,
  change: Pick<ChangeSet, 'mode' | 'entries'>,
): Warning[] {
  const warnings: Warning[] = [];
  const add = (code: string, words: readonly [one: string, many: string], hits: readonly PlacedHit[]) => {
    const paths = [...new Set(hits.flatMap(({ path }) => (path === undefined ? [] : [path])))];
    const details = { total: hits.length, paths: paths.slice(0, maxPaths) };
    const [one, many] = words;
    const message = hits.length === 1 ? `1 ${one}` : `${hits.length} ${many}`;
    if (hits.length > 0) warnings.push({ code, message, details });
  };
  add(
    'SECRETS_REDACTED',
    [
      'value that looks like a secret was taken out before sending.',
      'values that look like secrets were taken out before sending.',
    ],
    redactions,
  );
  const aimed = hidden.filter(({ kind }) => kind === 'comment-to-model');
  const unseen = hidden.filter(({ kind }) => kind !== 'comment-to-model');
  add(
    'HIDDEN_CHARACTERS',
    [
      'line holds characters a reader cannot see or takes for others; they were sent by their numbers.',
      'lines hold characters a reader cannot see or takes for others; they were sent by their numbers.',
    ],
    unseen,
  );
  add(
    'COMMENT_TO_MODEL',
    [
      'comment that no reader of the page sees speaks to a model.',
      'comments that no reader of the page sees speak to a model.',
    ],
    aimed,
  );
  const rules = change.entries.filter(({ path }) => /(?:^|\/)(?:CLAUDE|AGENTS|GEMINI)\.md$/.test(path));
  if (change.mode !== 'pr' && rules.length > 0)
    add(
      'RULES_PART_OF_CHANGE',
      [
        'file with project rules is part of the change; the reviewer follows it as it was before.',
        'files with project rules are part of the change; the reviewer follows them as they were before it.',
      ],
      rules,
    );
  return warnings;
}
