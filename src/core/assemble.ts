// The seven questions in their order: plan, gather, admit, phrase, fit, compose, seal.
import { admit } from './admit/admit.js';
import { compose } from './compose/compose.js';
import { fit } from './fit/fit.js';
import { gather } from './gather/gather.js';
import { checkBudget, roomOf } from './model/budget.js';
import type { Dialect } from './model/dialect.js';
import type { Fragment } from './model/fragment.js';
import { weightOf } from './model/meter.js';
import type { Assembly, Order, Press, Wishes } from './model/press.js';
import { heaviestPage } from './model/prompt.js';
import { phrase } from './phrase/phrase.js';
import { plan } from './plan/plan.js';
import { recordOf, seal } from './seal/seal.js';

export async function assemble(press: Press, order: Order, wishes: Wishes): Promise<Assembly> {
  const { scope } = order;
  const { needs, planners = [], sources, deadline, signal } = wishes;
  const planned = await plan({ scope, declared: needs, planners, signal }, deadline);
  const gathered = await gather({ plan: planned, scope, sources, signal }, deadline);
  const warnings = [...(order.warnings ?? []), ...planned.warnings, ...gathered.warnings];
  return typeset(press, { ...order, warnings }, gathered.candidates);
}

/** The synchronous half, for callers that hold their fragments already. */
export function typeset<Body>(
  press: Press<Body>,
  order: Order,
  candidates: readonly Fragment<Body>[],
): Assembly {
  const { recipe, meter, hash } = press;
  const dialect = press.dialect as Dialect;
  const limit = weightOf(meter, checkBudget(order.budget, meter).n);

  const admitted = admit(candidates, recipe, order.scope);
  const phrased = phrase(admitted.fragments, { recipe, dialect, meter });
  let allowed = limit;
  for (;;) {
    const selection = fit(phrased, { recipe, meter, limit: allowed, ...roomOf(order.budget, meter) });
    const { prompt, layerWeights } = compose(selection, { recipe, dialect, meter, hash });
    const excess = heaviestPage(prompt) - limit;
    if (excess > 0) {
      // A join may cost more than its parts: concede once more.
      allowed -= excess;
      continue;
    }
    const receipt = seal(
      {
        recipe,
        dialect,
        meter,
        budget: order.budget.limit.n,
        selection,
        pages: prompt.pages.map((page) => recordOf(page, meter, hash)),
        layerWeights,
        rejections: admitted.rejections,
        warnings: [...(order.warnings ?? []), ...admitted.warnings],
        ledger: order.ledger ?? 'full',
      },
      hash,
    );
    return { prompt, receipt };
  }
}
