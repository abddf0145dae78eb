// A model whose calls are paid from an account in the store: each reserves the most it may take before it begins, in one step
// with everybody else who pays from it, and settles what it took. Who dies in between has paid the estimate.
import { GalleyError } from '../core/model/error.js';
import { builtInCatalog, type Catalog } from '../models/catalog/catalog.js';
import { type CallCost, checkPriced, withAccount } from '../models/catalog/with-ceiling.js';
import { countTokens } from '../models/contract/count-tokens.js';
import type { Model } from '../models/contract/model.js';
import type { Store } from '../store/store.js';
import type { SpendingAnswer, Spent } from '../store/tables/spending.js';
import { endOfMonth } from '../store/tables/spending.js';

export interface SpendingAccount {
  readonly store: () => Promise<Pick<Store, 'spending'>>;
  /** `token:<mark>`, `job:<id>`. */
  readonly owner: string;
  /** `month` or `all`. */
  readonly period: string;
  readonly limits: AccountLimits;
  readonly catalog?: Catalog | undefined;
}

/** What is absent has no limit. */
export interface AccountLimits {
  readonly calls?: number | undefined;
  readonly tokens?: number | undefined;
  readonly dollars?: number | undefined;
}

const micro = (dollars: number) => Math.ceil(dollars * 1e6);

const ceilingOf = ({ calls, tokens, dollars }: AccountLimits) => ({
  calls,
  tokens,
  microDollars: dollars === undefined ? undefined : micro(dollars),
});

export function withSpending(model: Model, account: SpendingAccount): Model {
  const { store, owner, period, limits, catalog = builtInCatalog } = account;
  if (limits.dollars !== undefined) checkPriced(model, catalog);
  const isBound = limits.tokens !== undefined || limits.dollars !== undefined;
  return withAccount(model, { count: countTokens, catalog }, async (estimate) => {
    const { spending } = await store();
    const reserved = isBound ? amountsOf(estimate) : { tokens: 0, microDollars: 0 };
    const held = await spending.add(owner, period, reserved, ceilingOf(limits));
    if (held.passed !== undefined) throw passed(held, limits, reserved);
    return async (cost) => {
      const { tokens, microDollars } = amountsOf(cost);
      await spending.add(owner, held.period, {
        tokens: tokens - reserved.tokens,
        microDollars: microDollars - reserved.microDollars,
      });
    };
  });
}

const amountsOf = ({ tokens, dollars }: CallCost) => ({
  tokens: Math.ceil(tokens),
  microDollars: micro(dollars),
});

/** One more call of the account, refused beyond its limit. */
export async function spendCall({ store, owner, period, limits }: SpendingAccount): Promise<void> {
  const one = { calls: 1 };
  const answer = await (await store()).spending.add(owner, period, one, ceilingOf(limits));
  if (answer.passed !== undefined) throw passed(answer, limits, one);
}

function passed(
  { passed = 'calls', period, spent }: SpendingAnswer,
  limits: AccountLimits,
  wanted: Partial<Spent>,
): GalleyError {
  const limit = passed === 'microDollars' ? 'dollars' : passed;
  const shown = (amount: number) => (passed === 'microDollars' ? Math.round(amount / 100) / 1e4 : amount);
  const most = limits[limit] ?? 0;
  const used = shown(spent[passed]);
  const needed = shown(wanted[passed] ?? 0);
  const left = Math.max(0, Math.round((most - used) * 1e4) / 1e4);
  const money = limit === 'dollars' ? '$' : '';
  const what = limit === 'dollars' ? '' : ` ${limit}`;
  const ends = period === 'all' ? undefined : new Date(endOfMonth(period)).toISOString().slice(0, 10);
  const need = limit === 'calls' ? '' : `, and this call may take ${money}${needed}`;
  const until = ends === undefined ? '' : ` It begins anew on ${ends} (UTC).`;
  return new GalleyError(
    'COST_CEILING_REACHED',
    `${money}${used} of ${money}${most}${what} are spent${need}; ${money}${left} are left.${until}`,
    { details: { limit, most, spent: used, left, needed, ...(ends === undefined ? {} : { ends }) } },
  );
}
