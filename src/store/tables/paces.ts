// How fast may something be asked, by all processes together? Each name has the time from which the next call would be on pace
// and the time from which the next tokens would be; taking moves both on in one statement, so nobody takes what another took.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { checkedInteger, checkedName, checkedNumber } from './checked.js';
import type { Database, Schema } from './schema.js';

export interface PaceLimits {
  readonly callsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** How much may come at once, in seconds of the pace; 6 unless told. */
  readonly burstSeconds?: number;
  /** Who would wait longer takes nothing. */
  readonly maxWaitMs?: number | undefined;
}

export interface PaceAmounts {
  readonly calls?: number;
  readonly tokens?: number;
}

export interface PaceAnswer {
  /** False: it would have waited too long, and nothing was taken. */
  readonly taken: boolean;
  /** After this time the caller may go on; it has its place and need not ask again. */
  readonly waitMs: number;
}

export interface Paces {
  /**
   * Amounts below zero give back what was taken and not used, and never wait. One that is larger than the pace allows at once
   * passes when its turn comes, and those after it wait the longer.
   */
  take(name: string, limits: PaceLimits, amounts: PaceAmounts): Promise<PaceAnswer>;
}

const minute = 60_000_000;

/** How far so much moves a pace on, in microseconds. */
function stretch(field: string, amount: number, perMinute: number | undefined): number {
  checkedInteger(field, amount);
  if (perMinute === undefined) return 0;
  return Math.round((amount * minute) / Math.max(checkedNumber('perMinute', perMinute), 1e-3));
}

async function standing(db: Kysely<Schema>, name: string): Promise<{ calls: number; tokens: number }> {
  const row = await db
    .selectFrom('paces')
    .select(['calls_at as calls', 'tokens_at as tokens'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row ?? { calls: 0, tokens: 0 };
}

export function pacesIn(database: Database): Paces {
  return {
    async take(name, limits, { calls = 0, tokens = 0 }) {
      checkedName('name', name);
      const more = {
        calls: stretch('calls', calls, limits.callsPerMinute),
        tokens: stretch('tokens', tokens, limits.tokensPerMinute),
      };
      const burst = Math.round((limits.burstSeconds ?? 6) * 1_000_000);
      return database.writeAside(undefined, async (db) => {
        const now = (await database.time(db)) * 1000;
        const ready = now + burst;
        const wait = (from: { calls: number; tokens: number }) =>
          Math.max(
            0,
            ...(more.calls > 0 ? [from.calls - ready] : []),
            ...(more.tokens > 0 ? [from.tokens - ready] : []),
          );
        // Time that nobody used is gone.
        const from = (column: string): RawBuilder<number> => {
          const at = sql.ref<number>(`paces.${column}`);
          return sql`case when ${at} > cast(${now} as bigint) then ${at} else cast(${now} as bigint) end`;
        };
        const [row] = await db
          .insertInto('paces')
          .values({ name, calls_at: now + more.calls, tokens_at: now + more.tokens })
          .onConflict((conflict) => {
            const update = conflict.column('name').doUpdateSet({
              calls_at: sql<number>`${from('calls_at')} + cast(${more.calls} as bigint)`,
              tokens_at: sql<number>`${from('tokens_at')} + cast(${more.tokens} as bigint)`,
            });
            if (limits.maxWaitMs === undefined) return update;
            const latest = ready + Math.round(limits.maxWaitMs * 1000);
            const calls = more.calls > 0 ? update.where('paces.calls_at', '<=', latest) : update;
            return more.tokens > 0 ? calls.where('paces.tokens_at', '<=', latest) : calls;
          })
          .returning(['calls_at as calls', 'tokens_at as tokens'])
          .execute();
        const before =
          row === undefined
            ? await standing(db, name)
            : { calls: row.calls - more.calls, tokens: row.tokens - more.tokens };
        return { taken: row !== undefined, waitMs: Math.ceil(wait(before) / 1000) };
      });
    },
  };
}
