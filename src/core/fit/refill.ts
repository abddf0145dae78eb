// Room left by a large piece may be used by smaller ones of lower rank; they carry the verdict `refilled`.
import type { Concession } from '../model/concession.js';
import type { Layer } from '../model/layer.js';
import { bringBack, giveUp, type Standing } from './standing.js';

export interface RefillOptions {
  readonly list: readonly Concession[];
  readonly made: number;
  readonly layers: readonly Layer[];
  readonly limit: number;
}

export function refill(standing: Standing, options: RefillOptions): Set<number> {
  const { list, made, layers, limit } = options;
  const open = new Set(
    layers.filter((layer) => layer.refill && layer.manner === 'highest-rank').map(({ id }) => id),
  );
  const refilled = new Set<number>();
  for (let at = made - 1; at >= 0 && standing.weight < limit; at -= 1) {
    const concession = list[at];
    if (concession === undefined || !open.has(concession.layer)) continue;
    const cost = bringBack(standing, concession);
    if (standing.weight + cost <= limit) {
      standing.weight += cost;
      for (const { index } of concession.members) refilled.add(index);
    } else {
      giveUp(standing, concession);
    }
  }
  return refilled;
}
