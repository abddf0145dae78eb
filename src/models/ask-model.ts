// The one way from a desk to a model. Only what was sealed is sent: the texts are held against the receipt's hashes first, and the
// record of the call names the receipt it was made under.
import { GalleyError } from '../core/model/error.js';
import type { CallKind } from '../core/model/run-record.js';
import type { SealedPrompt } from '../core/model/sealed-prompt.js';
import { hashText } from '../meters/content-hash.js';
import { type RecordedAnswer, runOnRecord } from './cache/run-on-record.js';
import { sharedForesight } from './cache/shared-foresight.js';
import { cachePointsOf } from './cache-points.js';
import type { Catalog } from './catalog/catalog.js';
import type { Model, ModelRequest, RunOptions, Timeouts } from './model.js';

export interface AskOptions extends RunOptions {
  readonly kind: CallKind;
  readonly timeouts: Timeouts;
  readonly maxOutputTokens?: number | undefined;
  /** One-based, where one text went out as several. */
  readonly page?: number | undefined;
  readonly catalog?: Catalog | undefined;
}

export function askModel(model: Model, sealed: SealedPrompt, options: AskOptions): Promise<RecordedAnswer> {
  const { kind, timeouts, maxOutputTokens, page, catalog, ...run } = options;
  checkSeal(sealed);
  const request: ModelRequest = {
    ...(sealed.system === '' ? {} : { system: sealed.system }),
    prompt: sealed.prompt,
    timeouts,
    cachePoints: cachePointsOf(sealed.receipt.pages[0]),
    ...(sealed.answer === undefined
      ? {}
      : { shape: { name: answerName(kind), schema: JSON.parse(sealed.answer) } }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  return runOnRecord(request, run, {
    ...{ model, catalog, kind, page },
    receipt: sealed.receipt.id,
    foresight: sharedForesight(model),
  });
}

function answerName(kind: CallKind): string {
  return kind.replaceAll('-', '_');
}

/** A text that differs from its receipt by one byte stays here. */
function checkSeal({ system, prompt, answer = '', receipt }: SealedPrompt): void {
  const texts = { system, prompt, answer };
  const parts = receipt.pages[0]?.parts ?? [];
  const isWhole =
    receipt.pages.length === 1 &&
    (['system', 'prompt', 'answer'] as const).every((channel) => {
      const part = parts.find((each) => each.channel === channel);
      return part === undefined ? texts[channel] === '' : part.hash === hashText(texts[channel]);
    });
  if (!isWhole)
    throw new GalleyError('INTERNAL', 'What was to be sent is not what was sealed; nothing was sent.', {
      details: { receipt: receipt.id },
    });
}
