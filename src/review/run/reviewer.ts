// A model at work for one review: its calls surely end, keep to a ceiling, send what was sealed, and leave a record.
import { type ErrorCode, GalleyError, toGalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { type AskOptions, askModel } from '../../models/ask-model.js';
import type { RecordedAnswer } from '../../models/cache/run-on-record.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import { type CostBudget, withCeiling } from '../../models/catalog/with-ceiling.js';
import { countTokens } from '../../models/contract/count-tokens.js';
import type { Model } from '../../models/contract/model.js';
import type { KeptAnswers } from './kept-answers.js';

export interface Reviewer {
  readonly model: Model;
  ask(sealed: SealedPrompt, options: ReviewerAsk): Promise<RecordedAnswer>;
}

interface ReviewerAsk extends Omit<AskOptions, 'catalog'> {
  /** Is told what was sent. */
  readonly kept: Pick<KeptAnswers, 'sent'>;
}

interface ReviewerOptions {
  readonly catalog: Catalog;
  /** In dollars, for all reviewers that share the budget. */
  readonly ceiling?: { readonly dollars: number; readonly budget: CostBudget } | undefined;
  readonly graceMs?: number | undefined;
}

export function reviewerOf(model: Model, { catalog, ceiling, graceMs }: ReviewerOptions): Reviewer {
  const ending = withHardTimeout(model, graceMs);
  const guarded =
    ceiling === undefined ? ending : withCeiling(ending, { ...ceiling, count: countTokens, catalog });
  return {
    model,
    async ask(sealed, { kept, ...options }) {
      const isCancelled = options.signal.aborted;
      try {
        const recorded = await askModel(guarded, sealed, { ...options, catalog });
        await kept.sent(sealed.receipt, model.id);
        return recorded;
      } catch (error) {
        if (!isCancelled && afterSending.has(toGalleyError(error, 'MODEL_UNAVAILABLE').code))
          await kept.sent(sealed.receipt, model.id);
        throw error;
      }
    },
  };
}

/** Refusals behind which the prompt may have reached the model. */
const afterSending: ReadonlySet<ErrorCode> = new Set([
  'TIMEOUT',
  'CANCELLED',
  'MODEL_UNAVAILABLE',
  'MODEL_REFUSED',
  'MODEL_ANSWER_INVALID',
]);

const usualGraceMs = 5_000;

/** A model that does not keep its own time is left behind; `graceMs`: how long a call may take to end after it was told to. */
function withHardTimeout(model: Model, graceMs = usualGraceMs): Model {
  return {
    ...model,
    async run(request, options) {
      const { signal } = options;
      const stop = new AbortController();
      const timers: NodeJS.Timeout[] = [];
      const wait = (milliseconds: number, work: () => void) => timers.push(setTimeout(work, milliseconds));
      const end = () => stop.abort();
      let late = false;
      const leftBehind = new Promise<never>((_, reject) => {
        const leave = () => wait(graceMs, () => reject(endingOf(signal)));
        stop.signal.addEventListener('abort', leave, { once: true });
      });
      // Taken off again below: the signal of a long review must not hold every page that heard of it.
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      wait(request.timeouts.totalMs + graceMs, () => {
        late = true;
        end();
      });
      try {
        return await Promise.race([model.run(request, { ...options, signal: stop.signal }), leftBehind]);
      } catch (error) {
        // A model that was stopped for being late says it was cancelled; nobody cancelled it.
        if (late && !signal.aborted) throw endingOf(signal);
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
        for (const timer of timers) clearTimeout(timer);
      }
    },
  };
}

function endingOf(signal: AbortSignal): GalleyError {
  return signal.aborted
    ? new GalleyError('CANCELLED', 'The review was cancelled.')
    : new GalleyError('TIMEOUT', 'The model did not answer in time; give it more time or a smaller page.');
}
