// Layers with a line of their own keep to it by themselves, before anyone competes for the whole.
import type { Concession } from '../model/concession.js';
import type { Layer } from '../model/layer.js';
import type { Phrased } from '../model/wording.js';
import { concessionsOf } from './concession-list.js';
import { retreat } from './retreat.js';
import { standingOf } from './standing.js';

/** Indices that leave so that every such layer stays within its share of the limit, as far as its pins allow. */
export function overOwnLines(phrased: Phrased, layers: readonly Layer[], limit: number): Set<number> {
  const out = new Set<number>();
  for (const layer of layers) {
    if (!layer.ownLine || layer.share === undefined) continue;
    const list = concessionsOf(layer, phrased.wordings, 0);
    for (const concession of madeWithin(phrased, layer, { list, limit: Math.floor(limit * layer.share) })) {
      for (const { index } of concession.members) out.add(index);
    }
  }
  return out;
}

function madeWithin(
  phrased: Phrased,
  layer: Layer,
  { list, limit }: { list: readonly Concession[]; limit: number },
): readonly Concession[] {
  const movable = new Set(list.flatMap(({ members }) => members.map(({ index }) => index)));
  const fixed: number[] = [];
  phrased.wordings.forEach(({ fragment }, index) => {
    if (fragment.layer === layer.id && !movable.has(index)) fixed.push(index);
  });
  const standing = standingOf(phrased, fixed);
  const { made } = retreat(phrased, standing, { list, limit });
  return list.slice(0, made);
}
