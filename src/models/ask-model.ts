// The one way from a desk to a model. Only what was sealed is sent: the texts are held against the receipt's hashes first, and the
// record of the call names the receipt it was made under.
import { turnsOf } from '../core/extend.js';
import { GalleyError } from '../core/model/error.js';
import { amountOf } from '../core/model/meter.js';
import type { SealedPrompt } from '../core/model/press.js';
import type { PageRecord, Receipt, Speaker } from '../core/model/receipt.js';
import { hashText } from '../meters/content-hash.js';
import { loadMeter } from '../meters/load-meter.js';
import { meterForModel } from '../meters/meter-for-model.js';
import { sharedForesight } from './cache/foresight.js';
import { type RecordedAnswer, runOnRecord } from './cache/run-on-record.js';
import { type Catalog, promptCapacity, rowFor, windowCapacity } from './catalog/catalog.js';
import type {
  CachePoints,
  CallKind,
  Model,
  ModelRequest,
  RequestSpeaker,
  RunOptions,
  Sampling,
  Timeouts,
} from './contract/model.js';

export interface AskOptions extends RunOptions {
  readonly kind: CallKind;
  readonly timeouts: Timeouts;
  readonly maxOutputTokens?: number | undefined;
  readonly sampling?: Sampling | undefined;
  /** One-based, where one text went out as several. */
  readonly page?: number | undefined;
  readonly catalog?: Catalog | undefined;
}

export async function askModel(
  model: Model,
  sealed: SealedPrompt,
  options: AskOptions,
): Promise<RecordedAnswer> {
  const { kind, timeouts, maxOutputTokens, sampling, page, catalog, ...run } = options;
  checkSeal(sealed);
  const shape =
    sealed.answer === undefined ? undefined : { name: answerName(kind), schema: JSON.parse(sealed.answer) };
  // What the provider's package would make something else of was not sealed for this model.
  if (
    shape !== undefined &&
    model.answerForm !== undefined &&
    (await model.answerForm(shape)) !== sealed.answer
  )
    throw notSealed(sealed.receipt);
  const output = await outputWithin(model, sealed, { catalog, maxOutputTokens });
  const turns = turnsOf(sealed.receipt.pages[0]);
  const speakers = speakersOf(sealed);
  const request: ModelRequest = {
    // The same bytes in UTF-8, without halves of characters that JSON would spell out.
    ...(sealed.system === '' ? {} : { system: sealed.system.toWellFormed() }),
    prompt: sealed.prompt.toWellFormed(),
    timeouts,
    cachePoints: cachePointsOf(sealed.receipt.pages[0]),
    ...(turns.length === 0 ? {} : { turns }),
    ...(speakers.length === 0 ? {} : { speakers }),
    ...(sampling === undefined ? {} : { sampling }),
    ...(shape === undefined ? {} : { shape }),
    ...(output === undefined ? {} : { maxOutputTokens: output }),
  };
  return runOnRecord(request, run, {
    ...{ model, catalog, kind, page },
    receipt: sealed.receipt.id,
    foresight: sharedForesight(model),
  });
}

/** Tokens for the answer, where they must be named; refuses what leaves it no room in the model's window. */
async function outputWithin(
  { id }: Model,
  sealed: SealedPrompt,
  { catalog, maxOutputTokens }: Pick<AskOptions, 'catalog' | 'maxOutputTokens'>,
): Promise<number | undefined> {
  const { used, meter } = sealed.receipt;
  const { window, mostOutput } = rowFor(id, catalog) ?? {};
  const limit = windowCapacity(id, { catalog, maxOutputTokens });
  if (window === undefined || limit === undefined) return maxOutputTokens;
  const wish = { meter: meter.id, catalog, maxOutputTokens: maxOutputTokens ?? mostOutput };
  if (used.n <= (promptCapacity(id, wish) ?? 0)) return maxOutputTokens;
  // The receipt may be weighed by another meter: near the limit the model's own is asked.
  const needed = await tokensFor(id, sealed);
  if (needed > limit)
    throw new GalleyError(
      'CONTEXT_BUDGET_INFEASIBLE',
      `The prompt needs ${needed} tokens and the window of ${id} leaves ${limit} beside its answer; give it a smaller budget.`,
      { details: { needed, limit, missing: needed - limit, unit: 'tokens' } },
    );
  // Providers refuse a prompt that leaves less than the longest answer, unless a shorter one is asked for.
  return maxOutputTokens ?? Math.min(mostOutput ?? window, window - needed);
}

async function tokensFor(model: string, { system, prompt, answer = '' }: SealedPrompt): Promise<number> {
  const meter = await loadMeter(meterForModel(model).meter);
  const weight = [system, prompt, answer].reduce((sum, text) => sum + meter.weigh(text), 0);
  return amountOf(meter, weight).n;
}

/** The same for every message of a conversation: providers keep what they read under the form of the answer, its name included. */
function answerName(kind: CallKind): string {
  return kind.replace(/-(?:again|follow-up|verify)$/, '').replaceAll('-', '_');
}

/** A text that differs from its receipt by one byte stays here. */
function checkSeal({ system, prompt, answer = '', names = [], receipt }: SealedPrompt): void {
  const texts = { system, prompt, answer };
  const parts = receipt.pages[0]?.parts ?? [];
  const speakers = sealedSpeakers(receipt);
  const isWhole =
    receipt.pages.length === 1 &&
    names.length <= speakers.length &&
    speakers.every(({ name }, at) => {
      const said = names[at];
      return said === undefined ? name === undefined : name === hashText(said);
    }) &&
    (['system', 'prompt', 'answer'] as const).every((channel) => {
      const part = parts.find((each) => each.channel === channel);
      return part === undefined ? texts[channel] === '' : part.hash === hashText(texts[channel]);
    });
  if (!isWhole) throw notSealed(receipt);
}

function sealedSpeakers({ pages }: Receipt): readonly Speaker[] {
  return pages[0]?.parts.find(({ channel }) => channel === 'prompt')?.speakers ?? [];
}

/** The receipt knows a name by its hash alone. */
function speakersOf({ receipt, names = [] }: SealedPrompt): readonly RequestSpeaker[] {
  return sealedSpeakers(receipt).map(({ name: _, ...speaker }, at) => {
    const name = names[at];
    return name === undefined ? speaker : { ...speaker, name };
  });
}

function notSealed({ id }: Receipt): GalleyError {
  return new GalleyError('INTERNAL', 'What was to be sent is not what was sealed; nothing was sent.', {
    details: { receipt: id },
  });
}

/** Where a provider may keep the prefix of a page: the breakpoints of its parts, as the press recorded them. */
export function cachePointsOf(page: PageRecord | undefined): CachePoints {
  const offsets = (channel: 'system' | 'prompt') =>
    (page?.parts ?? [])
      .filter((part) => part.channel === channel)
      .flatMap(({ breakpoints }) => breakpoints.map(({ offset }) => offset));
  return { system: offsets('system'), prompt: offsets('prompt') };
}
