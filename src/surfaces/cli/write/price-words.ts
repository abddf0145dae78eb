// What a run over the whole book costs: the flags that bound it, the line before the first call and the line after the last.
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { grouped } from '../terminal/table.js';
import { counted, word } from '../words/word.js';
import type { WriteOptions } from './write-project.js';

export interface PricedOptions extends WriteOptions {
  readonly model?: string;
  readonly maxCost?: string;
  readonly timeout?: string;
  readonly dryRun?: boolean;
}

export function modelRequest({ model, maxCost, timeout, dryRun }: PricedOptions): object {
  if (model === undefined) {
    if (dryRun || maxCost !== undefined)
      throw new GalleyError(
        'INVALID_ARGUMENT',
        '--model: say which model; without one nothing costs anything.',
      );
    return {};
  }
  const dollars = Number(maxCost);
  if (maxCost !== undefined && !(dollars > 0))
    throw new GalleyError('INVALID_ARGUMENT', '--max-cost must be a number of dollars above 0.');
  return {
    model,
    dryRun: dryRun === true,
    ...(maxCost === undefined ? {} : { maxCost: dollars }),
    ...(timeout === undefined ? {} : { timeoutMs: wholeNumber(timeout, '--timeout', 1) * 1000 }),
  };
}

type Estimate = NonNullable<AnswerOf<'book:check'>['estimate']>;
type Spent = NonNullable<AnswerOf<'book:check'>['spent']>;

export function priceWords({ pages, calls, inputTokens, dollars }: Estimate, model: string): string {
  if (calls === 0) return word('write.price.none', { calls: counted(pages, 'call') });
  return word('write.price.before', {
    calls: counted(calls, 'call'),
    model,
    tokens: grouped(inputTokens),
    cost: dollars === undefined ? word('write.price.unknown') : word('write.price.cost', cost(dollars)),
    kept: pages === calls ? '' : word('write.price.kept', { n: pages - calls }),
  });
}

export function spentWords({ calls, inputTokens, outputTokens, dollars }: Spent): string {
  return word('write.price.after', {
    calls: counted(calls, 'call'),
    input: grouped(inputTokens),
    output: grouped(outputTokens),
    cost: dollars === undefined ? '' : word('write.price.cost', cost(dollars)),
  });
}

const cost = (dollars: number) => ({ dollars: `$${dollars.toFixed(4)}` });
