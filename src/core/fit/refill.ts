// Room left by a large piece may be used by smaller ones of lower rank; they carry the verdict `refilled`.
import type { Concession } from '../model/concession.js';
import type { Layer } from '../model/layer.js';
import type { Wording } from '../model/wording.js';
import { bringBack, giveUp, type Standing } from './standing.js';

export interface RefillOptions {
  readonly list: readonly Concession[];
  readonly made: number;
  readonly layers: readonly Layer[];
  readonly limit: number;
}

export function refill(
  wordings: readonly Wording[],
  standing: Standing,
  { list, made, layers, limit }: RefillOptions,
): Set<number> {
  const open = new Set(
    layers.filter((layer) => layer.refill && layer.manner === 'highest-rank').map(({ id }) => id),
  );
  const refilled = new Set<number>();
  if (open.size === 0) return refilled;
  const leansOn = placesLeantOn(wordings);
  const hangs = ({ members }: Concession) =>
    members.some(({ index }) => {
      const place = leansOn.get(index);
      return place !== undefined && (standing.levels[place] ?? -1) < 0;
    });
  for (let at = made - 1; at >= 0 && standing.weight < limit; at -= 1) {
    const concession = list[at];
    if (concession === undefined || !open.has(concession.layer) || hangs(concession)) continue;
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

/** For each fragment that continues another, where that one is; one that is not there is nowhere. */
function placesLeantOn(wordings: readonly Wording[]): ReadonlyMap<number, number> {
  const leaning = wordings.flatMap(({ fragment }, index) =>
    fragment.continues === undefined ? [] : [index],
  );
  if (leaning.length === 0) return new Map();
  const places = new Map(wordings.map(({ fragment }, index) => [fragment.id, index]));
  return new Map(
    leaning.map((index) => [index, places.get(wordings[index]?.fragment.continues ?? '') ?? -1]),
  );
}
