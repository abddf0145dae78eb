// Lines that layers keep to by themselves, before anyone competes for the whole: a share of the budget, or so much together.
import type { BudgetLine } from '../model/budget.js';
import type { Concession } from '../model/concession.js';
import type { Layer } from '../model/layer.js';
import type { Phrased } from '../model/wording.js';
import { concessionsOf } from './concession-list.js';
import { refill } from './refill.js';
import { retreat } from './retreat.js';
import { type Standing, standingOf } from './standing.js';

export interface LineOptions {
  readonly layers: readonly Layer[];
  readonly limit: number;
  readonly lines?: readonly BudgetLine[] | undefined;
}

export interface KeptLines {
  /** Indices that leave so that every line is kept, as far as pins allow. */
  readonly over: ReadonlySet<number>;
  /** Smaller ones that stay in what larger ones left of a line. */
  readonly refilled: ReadonlySet<number>;
}

export function keepOwnLines(phrased: Phrased, { layers, limit, lines = [] }: LineOptions): KeptLines {
  const over = new Set<number>();
  const refilled = new Set<number>();
  const own = layers.flatMap(({ id, ownLine, share }): BudgetLine[] =>
    ownLine && share !== undefined ? [{ layers: [id], n: Math.floor(limit * share) }] : [],
  );
  for (const { layers: ids, n } of [...own, ...lines]) {
    const members = layers.filter(({ id }) => ids.includes(id));
    members.sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
    const list = members.flatMap((layer) => concessionsOf(layer, phrased.wordings, 0));
    const standing = fixedOf(phrased, new Set(ids), list);
    const { made } = retreat(phrased, standing, { list, limit: n });
    const back = refill(phrased.wordings, standing, { list, made, layers: members, limit: n });
    for (const concession of list.slice(0, made))
      for (const { index } of concession.members) (back.has(index) ? refilled : over).add(index);
  }
  return { over, refilled };
}

/** Members of the layers that no concession of the list can move. */
function fixedOf(phrased: Phrased, layers: ReadonlySet<string>, list: readonly Concession[]): Standing {
  const movable = new Set(list.flatMap(({ members }) => members.map(({ index }) => index)));
  const fixed: number[] = [];
  phrased.wordings.forEach(({ fragment }, index) => {
    if (layers.has(fragment.layer) && !movable.has(index)) fixed.push(index);
  });
  return standingOf(phrased, fixed);
}
