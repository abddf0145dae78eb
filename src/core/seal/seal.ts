// What did we do? A verdict for every fragment, hashes and versions; not a word of the text.
import { byCodePoint } from '../model/code-point-order.js';
import type { Dialect } from '../model/dialect.js';
import { amountOf, type Meter } from '../model/meter.js';
import type { Hash } from '../model/ports.js';
import type { Page } from '../model/prompt.js';
import type { LayerRecord, LedgerLine, PageRecord, Receipt } from '../model/receipt.js';
import type { Recipe } from '../model/recipe.js';
import { formatRef } from '../model/ref.js';
import type { Choice, Selection } from '../model/selection.js';
import type { Rejection } from '../model/verdict.js';
import type { Warning } from '../model/warning.js';

export interface SealInput {
  readonly recipe: Recipe;
  readonly dialect: Dialect;
  readonly meter: Meter;
  readonly budget: number;
  readonly selection: Selection;
  readonly pages: readonly PageRecord[];
  readonly layerWeights: ReadonlyMap<string, number>;
  readonly rejections: readonly Rejection[];
  readonly warnings: readonly Warning[];
  /** `full` also prices what was left out; `kept` leaves those prices open and saves the counting. */
  readonly ledger: 'full' | 'kept';
}

export function seal(input: SealInput, hash: Hash): Receipt {
  const { recipe, dialect, meter, selection, pages } = input;
  const ledger = [
    ...selection.choices.map((choice) => lineOf(choice, meter, input.ledger)),
    ...input.rejections.map(({ id, ...rest }): LedgerLine => ({ fragment: id, ...rest })),
  ];
  const body = {
    version: 1 as const,
    recipe: { id: recipe.id, version: recipe.version },
    dialect: { id: dialect.id, version: dialect.version },
    meter: { id: meter.id, exact: meter.exact },
    budget: { unit: meter.unit, n: input.budget },
    used: { unit: meter.unit, n: pages.reduce((most, page) => Math.max(most, page.amount), 0) },
    concessions: selection.concessions,
    layers: layersOf(input, ledger),
    pages,
    ledger,
    warnings: input.warnings,
  };
  return { id: hash(JSON.stringify(body)).slice(0, 32), ...body };
}

/** What is remembered of a page when its text is gone. */
export function recordOf({ parts, weight }: Page, meter: Meter, hash: Hash): PageRecord {
  return {
    amount: amountOf(meter, weight).n,
    parts: parts.map(({ text, ...facts }) => ({ ...facts, hash: hash(text) })),
  };
}

function lineOf(choice: Choice, meter: Meter, ledger: SealInput['ledger']): LedgerLine {
  const { fragment, levels } = choice.wording;
  const level = levels[choice.level ?? 0];
  const stays = choice.level !== undefined;
  const weight = stays || ledger === 'full' ? level?.weight() : undefined;
  return {
    fragment: fragment.id,
    source: fragment.source,
    layer: fragment.layer,
    section: fragment.section,
    verdict: choice.verdict,
    reason: choice.reason,
    ...(stays && level !== undefined ? { level: level.name } : {}),
    ...(weight === undefined || choice.cutAt !== undefined ? {} : { amount: amountOf(meter, weight).n }),
    ...(choice.page === undefined ? {} : { page: choice.page + 1 }),
    ...(fragment.ref === undefined ? {} : { ref: formatRef(fragment.ref) }),
  };
}

const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

function layersOf(input: SealInput, ledger: readonly LedgerLine[]): LayerRecord[] {
  const counts = new Map<string, { kept: number; left: number }>();
  for (const { layer, verdict } of ledger) {
    const count = counts.get(layer) ?? { kept: 0, left: 0 };
    if (present.has(verdict)) count.kept += 1;
    else count.left += 1;
    counts.set(layer, count);
  }
  const known = input.recipe.layers.map(({ id }) => id);
  const strangers = [...counts.keys()].filter((id) => !known.includes(id)).sort(byCodePoint);
  return [...known, ...strangers].map((id) => ({
    id,
    amount: amountOf(input.meter, input.layerWeights.get(id) ?? 0).n,
    ...(counts.get(id) ?? { kept: 0, left: 0 }),
  }));
}
