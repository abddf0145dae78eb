// A middleware for the AI SDK that fits any call into a budget: system text, tools and the current exchange stay, the oldest
// exchanges go first, whole, so that no tool result loses its call. Messages are never changed, only left out.
import { blockBonds } from '../../agents/hop-bonds.js';
import { typeset } from '../../core/assemble.js';
import { GalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { amountOf, type Meter, weightOf } from '../../core/model/meter.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { loadMeter, meterIds } from '../../meters/load-meter.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import { withCacheMarks } from './cache-marks.js';
import { type ChatMessage, exchangesOf, filesIn, tokensOfFile, wordsOf } from './chat-message.js';

export interface BudgetOptions {
  /** For everything that is sent: system text, tools, messages. */
  readonly tokens: number;
  /** Name of a meter; the one of the model without it. */
  readonly meter?: string;
  /** `hops` lets old exchanges go in blocks, so that a provider's cache keeps hitting; `exact` keeps as many as fit. */
  readonly trim?: 'hops' | 'exact';
  onReceipt?(receipt: Receipt): void;
}

interface CallParameters {
  readonly prompt: readonly ChatMessage[];
  readonly tools?: readonly unknown[] | undefined;
}

interface TransformOptions {
  readonly params: CallParameters;
  readonly model: { readonly modelId: string; readonly provider: string };
}

export interface BudgetMiddleware {
  readonly specificationVersion: 'v3';
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types, which must not become a dependency
  transformParams(options: any): Promise<any>;
}

const scope = { project: 'chat' };

const recipe: Recipe = {
  id: 'chat',
  version: 1,
  overflow: 'concede',
  layers: [
    { id: 'frame', keep: 'all' },
    { id: 'history', keep: 'newest', yieldOrder: 1 },
    { id: 'current', keep: 'all' },
  ],
  sections: [
    { id: 'frame', channel: 'system', stable: true, breakpoint: true },
    { id: 'history', channel: 'prompt' },
    { id: 'current', channel: 'prompt' },
  ],
};

const dialect: Dialect<string> = {
  id: 'chat',
  version: 1,
  apart: '',
  section: () => ({ heading: '', between: '' }),
  word: (words) => words,
};

export function budgetMiddleware(options: BudgetOptions): BudgetMiddleware {
  checkOptions(options);
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params, model }: TransformOptions) => {
      const meter = await loadMeter(options.meter ?? meterForModel(model.modelId).meter);
      const budget = { limit: { unit: meter.unit, n: options.tokens } };
      const press = { recipe, dialect, meter, hash: hashText };
      const { receipt } = typeset(press, { scope, budget }, weighed(params, meter, options));
      options.onReceipt?.(receipt);
      const kept = new Set(
        receipt.ledger.flatMap((line) => (line.verdict === 'kept' ? [line.fragment] : [])),
      );
      const prompt = params.prompt.filter((_, index) => kept.has(nameOf(index)));
      return { ...params, prompt: withCacheMarks(prompt, { model, count: (text) => countOf(meter, text) }) };
    },
  };
}

/** What cannot be weighed could not be sent either. */
function weighed(...given: Parameters<typeof fragmentsOf>): Fragment<string>[] {
  try {
    return fragmentsOf(...given);
  } catch (cause) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'prompt: messages and tools must be those of the AI SDK, as data that JSON can hold.',
      { details: { field: 'prompt' }, cause },
    );
  }
}

const known: ReadonlySet<string> = new Set(['tokens', 'meter', 'trim', 'onReceipt']);

/** Where the middleware is made, not at the first call, which may come much later. */
function checkOptions(options: BudgetOptions): void {
  const { tokens, meter, trim, onReceipt } = options;
  const refuse = (field: string, why: string) => {
    throw new GalleyError('INVALID_ARGUMENT', `budgetMiddleware: ${field} ${why}.`, { details: { field } });
  };
  const stranger = Object.keys(options).find((name) => !known.has(name));
  if (stranger !== undefined) refuse(stranger, `is not a known option; there are ${[...known].join(', ')}`);
  if (!Number.isSafeInteger(tokens) || tokens < 1) refuse('tokens', 'must be a whole number, 1 or more');
  if (meter !== undefined && !meterIds.includes(meter))
    refuse('meter', `is not known; use one of ${meterIds.join(', ')}, or leave it out`);
  if (trim !== undefined && trim !== 'hops' && trim !== 'exact') refuse('trim', 'must be "hops" or "exact"');
  if (onReceipt !== undefined && typeof onReceipt !== 'function') refuse('onReceipt', 'must be a function');
}

const nameOf = (index: number) => `message:${index}`;

function countOf(meter: Meter, text: string): number {
  return amountOf(meter, meter.weigh(text)).n;
}

function fragmentsOf(params: CallParameters, meter: Meter, options: BudgetOptions): Fragment<string>[] {
  const { prompt, tools = [] } = params;
  const file = weightOf(meter, tokensOfFile);
  const weights = prompt.map((message) => meter.weigh(wordsOf(message)) + filesIn(message) * file);
  const exchanges = exchangesOf(prompt);
  const current = exchanges.at(-1) ?? 0;
  const bonds = options.trim === 'exact' ? [] : hops(weights, exchanges, weightOf(meter, options.tokens));
  const fragment = (
    id: string,
    layer: string,
    of: Pick<Fragment, 'position'> & { words: string; weight: number },
  ) => ({
    id,
    source: 'chat',
    scope,
    layer,
    section: layer,
    rank: of.position,
    position: of.position,
    levels: [{ name: 'whole', body: of.words, weight: of.weight }],
  });
  const messages = prompt.map((message, position): Fragment<string> => {
    const exchange = exchanges[position] ?? 0;
    const layer = message.role === 'system' ? 'frame' : exchange === current ? 'current' : 'history';
    const whole = fragment(nameOf(position), layer, {
      position,
      words: wordsOf(message),
      weight: weights[position] ?? 0,
    });
    return layer === 'history' ? { ...whole, bond: bonds[exchange] ?? `exchange:${exchange}` } : whole;
  });
  if (tools.length === 0) return messages;
  const words = `${JSON.stringify(tools)}\n\n`;
  return [fragment('tools', 'frame', { position: -1, words, weight: meter.weigh(words) }), ...messages];
}

/** The bond of each exchange, oldest first: blocks of half the room. */
function hops(
  weights: readonly number[],
  exchanges: readonly number[],
  room: number,
): (string | undefined)[] {
  const sizes: number[] = [];
  exchanges.forEach((exchange, index) => {
    sizes[exchange] = (sizes[exchange] ?? 0) + (weights[index] ?? 0);
  });
  return blockBonds(
    Array.from(sizes, (size) => size ?? 0),
    Math.max(1, Math.floor(room / 2)),
  );
}
