// What models have cost on pull requests of a clone, a line a call, beside the answers that are kept. A cap on a pull request or a month
// counts these lines; where several machines keep lines of their own, each knows only those it finds.
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import { builtInCatalog, type Catalog, costOf } from '../../models/catalog/catalog.js';
import type { Model } from '../../models/contract/model.js';

interface Caps {
  readonly maxCost?: number | undefined;
  readonly maxPullCost?: number | undefined;
  readonly maxMonthCost?: number | undefined;
}

interface SpendingPlace {
  /** Where answers are kept; undefined where nothing lasts. */
  readonly folder: string | undefined;
  readonly repository: string;
  readonly number: number;
  readonly now: () => number;
  readonly catalog?: Catalog | undefined;
}

export interface Spending {
  /** Dollars this run may cost; refuses where a cap is reached. */
  readonly maxCost: number | undefined;
  /** The same model; what each answer cost is written down as it comes. */
  recorded(model: Model): Model;
}

const line = z.object({ pull: z.string(), dollars: z.number().min(0) });

export async function openSpending(caps: Caps, place: SpendingPlace): Promise<Spending> {
  const { maxCost, maxPullCost, maxMonthCost } = caps;
  const isCapped = maxPullCost !== undefined || maxMonthCost !== undefined;
  if (place.folder === undefined) {
    if (isCapped) throw nowhere();
    return { maxCost, recorded: (model) => model };
  }
  const folder = join(place.folder, 'galley', 'spending');
  const pull = hashText(`${place.repository}#${place.number}`).slice(0, 16);
  const month = new Date(place.now()).toISOString().slice(0, 7);
  const spent = isCapped ? await readSpent(folder, { pull, month }) : { pull: 0, month: 0 };
  const left = [
    ...(maxCost === undefined ? [] : [maxCost]),
    ...leftOf(maxPullCost, spent.pull, 'this pull request'),
    ...leftOf(maxMonthCost, spent.month, 'this month'),
  ];
  const { catalog = builtInCatalog } = place;
  return {
    maxCost: left.length === 0 ? undefined : Math.min(...left),
    recorded: (model) => ({
      ...model,
      async run(request, options) {
        const answer = await model.run(request, options);
        const cost = answer.usage === undefined ? undefined : costOf(answer.usage, model.id, catalog);
        if (cost !== undefined) await write(folder, month, { pull, dollars: cost.dollars });
        return answer;
      },
    }),
  };
}

function leftOf(cap: number | undefined, spent: number, what: string): number[] {
  if (cap === undefined) return [];
  if (spent < cap) return [cap - spent];
  throw new GalleyError(
    'COST_CEILING_REACHED',
    `The cap for ${what} is reached: $${spent.toFixed(2)} of $${cap.toFixed(2)}; raise the cap${what === 'this month' ? ', or wait for the next' : ''}.`,
    { details: { spent, cap } },
  );
}

async function readSpent(
  folder: string,
  { pull, month }: { readonly pull: string; readonly month: string },
): Promise<{ pull: number; month: number }> {
  const sums = { pull: 0, month: 0 };
  for (const name of await readdir(folder).catch(() => [])) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    for (const one of text.split('\n')) {
      const read = parse(one);
      if (read === undefined) continue;
      if (read.pull === pull) sums.pull += read.dollars;
      if (name === `${month}.jsonl`) sums.month += read.dollars;
    }
  }
  return sums;
}

/** A line that was cut off says nothing. */
function parse(text: string): z.output<typeof line> | undefined {
  if (text.trim() === '') return undefined;
  try {
    const read = line.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** A disk that is full must not cost an answer that is paid for. */
async function write(folder: string, month: string, fact: z.output<typeof line>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await appendFile(join(folder, `${month}.jsonl`), `${JSON.stringify(fact)}\n`, { mode: 0o600 });
  } catch {
    // The next run counts without it.
  }
}

function nowhere(): GalleyError {
  return new GalleyError(
    'INVALID_ARGUMENT',
    'A cap for a pull request or a month needs a place that remembers: run it in a clone, or set GALLEY_ANSWERS.',
    { details: { field: 'maxPullCost' } },
  );
}
