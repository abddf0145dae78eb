// What was spent: calls, tokens and money of an owner in a period. To add is one statement, so that a ceiling holds however many
// processes spend at once.
import { type Kysely, sql } from 'kysely';
import { GalleyError } from '../../core/model/error.js';
import { checkedInteger, checkedName } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  /** Millionths of a dollar. */
  readonly microDollars: number;
}

export interface SpendingAnswer {
  /** Undefined: it was added. Otherwise nothing was, and this is the ceiling it would have passed. */
  readonly passed?: keyof Spent;
  /** The one it was added to: `month` is resolved by the time of the store. */
  readonly period: string;
  /** What is spent now. */
  readonly spent: Spent;
}

export interface Spending {
  /**
   * `period` is a month (`2026-11`), `month` for the running one, or `all`. Whole numbers, below zero to give back what was
   * reserved too much. A ceiling binds only what the amounts raise: who gives back is never refused.
   */
  add(
    owner: string,
    period: string,
    amounts: Partial<Spent>,
    ceiling?: { readonly [amount in keyof Spent]?: number | undefined },
  ): Promise<SpendingAnswer>;
  get(owner: string, period: string): Promise<SpendingAnswer>;
}

const nothing: Spent = { calls: 0, tokens: 0, microDollars: 0 };
const amountNames = ['calls', 'tokens', 'microDollars'] as const;
const columns = { calls: 'calls', tokens: 'tokens', microDollars: 'micro_dollars' } as const;

async function resolved(database: Database, db: Kysely<Schema>, period: string): Promise<string> {
  if (period === 'month') return new Date(await database.time(db)).toISOString().slice(0, 7);
  if (period === 'all' || /^\d{4}-\d{2}$/.test(period)) return period;
  throw new GalleyError('INVALID_ARGUMENT', 'period must be a month like 2026-11, "month" or "all".', {
    details: { field: 'period' },
  });
}

async function spentBy(db: Kysely<Schema>, owner: string, period: string): Promise<Spent> {
  const row = await db
    .selectFrom('spending')
    .select(['calls', 'tokens', 'micro_dollars as microDollars'])
    .where('owner', '=', owner)
    .where('period', '=', period)
    .executeTakeFirst();
  return row ?? nothing;
}

export function spendingIn(database: Database): Spending {
  return {
    async add(owner, name, amounts, ceiling = {}) {
      checkedName('owner', owner);
      const more = { ...nothing, ...amounts };
      for (const amount of amountNames) checkedInteger(amount, more[amount]);
      const bound = amountNames.filter((amount) => more[amount] > 0 && ceiling[amount] !== undefined);
      const over = (spent: Spent) =>
        bound.find((amount) => spent[amount] + more[amount] > (ceiling[amount] as number));
      return database.writeAside(undefined, async (db) => {
        const period = await resolved(database, db, name);
        // The first row of an owner meets no condition of its own.
        const first = over(nothing);
        if (first !== undefined) return { passed: first, period, spent: await spentBy(db, owner, period) };
        const sum = (amount: keyof Spent) =>
          sql<number>`${sql.ref(`spending.${columns[amount]}`)} + ${sql.ref(`excluded.${columns[amount]}`)}`;
        const [spent] = await db
          .insertInto('spending')
          .values({ owner, period, calls: more.calls, tokens: more.tokens, micro_dollars: more.microDollars })
          .onConflict((conflict) => {
            const update = conflict.columns(['owner', 'period']).doUpdateSet({
              calls: sum('calls'),
              tokens: sum('tokens'),
              micro_dollars: sum('microDollars'),
            });
            return bound.reduce(
              (so, amount) => so.where(sum(amount), '<=', ceiling[amount] as number),
              update,
            );
          })
          .returning(['calls', 'tokens', 'micro_dollars as microDollars'])
          .execute();
        if (spent !== undefined) return { period, spent };
        const before = await spentBy(db, owner, period);
        // Whoever gave back in between made room; it is said as it was when it was refused.
        return { passed: over(before) ?? bound[0] ?? 'calls', period, spent: before };
      });
    },
    get: (owner, name) =>
      database.read(async (db) => {
        const period = await resolved(database, db, name);
        return { period, spent: await spentBy(db, owner, period) };
      }),
  };
}

/** When a month ends, in milliseconds since 1970. */
export function endOfMonth(period: string): number {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return Date.UTC(year, month, 1);
}
