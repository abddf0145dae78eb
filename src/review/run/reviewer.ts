// A model at work for one review: its calls surely end, keep to a ceiling, send what was sealed, and leave a record.
import { GalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { type AskOptions, askModel } from '../../models/ask-model.js';
import type { RecordedAnswer } from '../../models/cache/run-on-record.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import { withCeiling } from '../../models/catalog/with-ceiling.js';
import { countTokens } from '../../models/contract/count-tokens.js';
import type { Model, RunRecord } from '../../models/contract/model.js';
import { withBackstop } from './with-backstop.js';

export interface Reviewer {
  readonly model: Model;
  ask(sealed: SealedPrompt, options: Omit<AskOptions, 'catalog'>): Promise<RecordedAnswer>;
}

export interface ReviewerOptions {
  readonly catalog: Catalog;
  /** In dollars. */
  readonly ceiling?: number | undefined;
  readonly graceMs?: number | undefined;
}

export function reviewerOf(model: Model, { catalog, ceiling, graceMs }: ReviewerOptions): Reviewer {
  const ending = withBackstop(model, graceMs);
  const guarded =
    ceiling === undefined ? ending : withCeiling(ending, { dollars: ceiling, count: countTokens, catalog });
  return { model, ask: (sealed, options) => askModel(guarded, sealed, { ...options, catalog }) };
}

/** What is left of a ceiling after a run. */
export function ceilingAfter(ceiling: number | undefined, run: RunRecord | undefined): number | undefined {
  if (ceiling === undefined) return undefined;
  const left = ceiling - (run?.cost?.dollars ?? 0);
  if (left > 0) return left;
  throw new GalleyError('COST_CEILING_REACHED', 'The plan alone reached the ceiling; raise it to go on.', {
    details: { ceiling },
  });
}
