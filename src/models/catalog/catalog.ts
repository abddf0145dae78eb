// The rows that hold for this run: the user's own first, then ours. A file of the user is checked before it is used.
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { escapePattern } from '../../core/model/escape-pattern.js';
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

/** Undefined for a model nobody has priced. */
export function rowFor(model: string, { rows }: Catalog = builtInCatalog): ModelRow | undefined {
  const name = model.toLowerCase();
  return rows.find((row) => patternOf(row.model).test(name));
}

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
