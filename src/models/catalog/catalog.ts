// What is known of a model: its price, its window, what a call cost. The user's own rows come first, checked before they are used;
// then ours.

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { escapePattern } from '../../core/model/escape-pattern.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import type { Usage } from '../contract/model.js';
import { type ModelRow, modelPrices, modelPricesVersion } from './model-prices.js';

export interface Catalog {
  /** Names the data a cost was worked out with. */
  readonly version: string;
  readonly rows: readonly ModelRow[];
}

export const builtInCatalog: Catalog = { version: modelPricesVersion, rows: modelPrices };

const dollars = z.number().nonnegative().max(1_000_000);
const prices = {
  input: dollars,
  output: dollars,
  cachedInput: dollars.optional(),
  cacheWrite: dollars.optional(),
};
const tokens = z.int().positive();

const priceFile = z.strictObject({
  version: z.string().min(1).max(80),
  models: z
    .array(
      z.strictObject({
        model: z.string().min(1).max(200),
        ...prices,
        window: tokens.optional(),
        mostOutput: tokens.optional(),
        long: z.strictObject({ above: tokens, ...prices }).optional(),
        callsPerMinute: z.number().positive().max(1e9).optional(),
        tokensPerMinute: z.number().positive().max(1e12).optional(),
      }),
    )
    .max(10_000),
});

/** With the rows of the file that `GALLEY_PRICES` names before the built-in ones. */
export async function loadCatalog(environment: NodeJS.ProcessEnv): Promise<Catalog> {
  const path = environment.GALLEY_PRICES;
  if (path === undefined || path === '') return builtInCatalog;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid('names a file that cannot be read', cause);
  });
  const parsed = priceFile.safeParse(readJson(text));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') || 'the file';
    throw invalid(`: ${field} is not valid`);
  }
  const { version, models } = parsed.data;
  return { version: `${version} over ${modelPricesVersion}`, rows: [...models, ...modelPrices] };
}

/** What was asked last of each catalog: a session asks for the same model a hundred thousand times. */
const asked = new WeakMap<
  readonly ModelRow[],
  { readonly model: string; readonly row: ModelRow | undefined }
>();

/** Undefined for a model nobody has priced. */
export function rowFor(model: string, { rows }: Catalog = builtInCatalog): ModelRow | undefined {
  const last = asked.get(rows);
  if (last?.model === model) return last.row;
  const name = model.toLowerCase();
  // What a model costs and holds at its maker is not what it does in a cloud.
  const known = resold.test(name) ? rows.filter((row) => !modelPrices.includes(row)) : rows;
  const row = known.find((one) => patternOf(one.model).test(name));
  asked.set(rows, { model, row });
  return row;
}

const resold = /^(?:bedrock|vertex|azure)\//;

const patterns = new Map<string, RegExp>();

function patternOf(glob: string): RegExp {
  const known = patterns.get(glob);
  if (known !== undefined) return known;
  const words = glob.toLowerCase().split(/\*+/).map(escapePattern);
  const pattern = new RegExp(`^${words.join('.*')}$`, 's');
  patterns.set(glob, pattern);
  return pattern;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw invalid('is not valid JSON', cause);
  }
}

function invalid(says: string, cause?: unknown): GalleyError {
  return new GalleyError('CONFIG_INVALID', `GALLEY_PRICES ${says}; see docs/models.md for its form.`, {
    details: { field: 'GALLEY_PRICES' },
    ...(cause === undefined ? {} : { cause }),
  });
}

export interface Cost {
  readonly dollars: number;
  /** The version of the prices. */
  readonly prices: string;
}

const perMillion = 1_000_000;

/** Undefined when the price of the model is not known. */
export function costOf(usage: Usage, model: string, catalog: Catalog = builtInCatalog): Cost | undefined {
  const row = rowFor(model, catalog);
  if (row === undefined) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const prices = row.long !== undefined && inputTokens > row.long.above ? row.long : row;
  const { input, output, cachedInput = input, cacheWrite = input } = prices;
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const sum =
    fresh * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output;
  return { dollars: sum / perMillion, prices: catalog.version };
}

export interface PromptLimits {
  /** Id of the meter that weighs the prompt. */
  readonly meter: string;
  readonly maxOutputTokens?: number | undefined;
  readonly catalog?: Catalog | undefined;
}

/** How much a prompt may weigh: the known window less the answer, in the units of its meter. Undefined where it is not known. */
export function promptCapacity(model: string, wish: PromptLimits): number | undefined {
  const room = windowCapacity(model, wish);
  return room === undefined ? undefined : Math.floor(room * shareOf(wish.meter, meterForModel(model).meter));
}

/** In tokens of the model itself. */
export function windowCapacity(
  model: string,
  { catalog = builtInCatalog, maxOutputTokens }: Omit<PromptLimits, 'meter'>,
): number | undefined {
  const { window, mostOutput = Number.POSITIVE_INFINITY } = rowFor(model, catalog) ?? {};
  if (window === undefined) return undefined;
  const answer = maxOutputTokens ?? Math.min(usualAnswer, mostOutput, Math.floor(window / 4));
  return Math.max(0, window - answer);
}

const usualAnswer = 8_192;

/**
 * Another meter than the model's own may count less than the model does: prose and code up to 1.65 times less in o200k_base, and
 * Chinese in quarters of characters up to four times. No token is shorter than a byte.
 */
function shareOf(meter: string, own: string): number {
  if (meter === own || meter === 'bytes') return 1;
  return meter === 'chars/4' ? 0.25 : 0.6;
}
