// Pages one at a time: the layout is settled from weights alone, then each page is composed when its turn comes and may be
// forgotten. For sets that are too large to hold; the result is that of typesetting them at once.
import { admit } from './admit/admit.js';
import { composePages } from './compose/compose.js';
import { fit } from './fit/fit.js';
import { checkBudget, roomOf } from './model/budget.js';
import type { Dialect } from './model/dialect.js';
import type { Fragment } from './model/fragment.js';
import { weightOf } from './model/meter.js';
import type { Order, Press } from './model/press.js';
import type { Page } from './model/prompt.js';
import type { PageRecord, Receipt } from './model/receipt.js';
import type { Choice } from './model/selection.js';
import { phrase } from './phrase/phrase.js';
import { recordOf, seal } from './seal/seal.js';

export interface Layout {
  readonly pages: number;
  readonly choices: readonly Choice[];
  /** Zero-based; pages are set in their order, each once. */
  set(page: number): Page;
  /** After the last page. */
  seal(): Receipt;
}

export function layOut<Body>(
  press: Press<Body>,
  order: Order,
  candidates: readonly Fragment<Body>[],
): Layout {
  const { recipe, meter, hash } = press;
  const dialect = press.dialect as Dialect;
  const limit = weightOf(meter, checkBudget(order.budget, meter).n);
  const room = roomOf(order.budget, meter);
  const admitted = admit(candidates, recipe, order.scope);
  const phrased = phrase(admitted.fragments, { recipe, dialect, meter });
  for (let allowed = limit; ; ) {
    const selection = fit(phrased, { recipe, meter, limit: allowed, ...room });
    const composer = composePages(selection, { recipe, dialect, meter, hash });
    let excess = 0;
    for (let page = 0; page < selection.pages; page += 1)
      excess = Math.max(excess, composer.weight(page) - limit);
    if (excess > 0) {
      allowed -= excess;
      continue;
    }
    const records: PageRecord[] = [];
    return {
      pages: selection.pages,
      choices: selection.choices,
      set(page) {
        const composed = composer.page(page);
        records[page] = recordOf(composed, meter, hash);
        return composed;
      },
      seal: () =>
        seal(
          {
            recipe,
            dialect,
            meter,
            budget: order.budget.limit.n,
            selection,
            pages: records,
            layerWeights: composer.layerWeights,
            rejections: admitted.rejections,
            warnings: [...(order.warnings ?? []), ...admitted.warnings],
            ledger: order.ledger ?? 'full',
          },
          hash,
        ),
    };
  }
}
