// Everything we would be willing to give up, in order, worked out without looking at the budget.
import { byCodePoint } from '../model/code-points.js';
import type { PricedFragment } from '../model/priced-set.js';
import type { Layer } from '../model/recipe.js';

/** Concessions of one layer, first to go first. `floor` is a weight the layer keeps if it has that much. */
export function concessionsOf(
  layer: Layer,
  fragments: readonly PricedFragment[],
  floor: number,
): readonly Concession[] {
  if (layer.keep === 'all') return [];
  const groups = groupsOf(layer, fragments);
  const drops = inOrder(groups, layer, fragments);
  switch (layer.keep) {
    case 'newest':
    case 'head':
    case 'nearest':
    case 'highest-rank':
      return aboveFloor(drops, { keeps: groups.keeps, fragments, floor });
    case 'level':
      return stepsOf(layer.id, drops, fragments);
    case 'level-then-rank':
      return [...stepsOf(layer.id, drops, fragments), ...drops.map((drop) => bare(drop, fragments))];
    case 'rank-then-level':
      return aboveFloor(drops, { keeps: groups.keeps, fragments, floor }).flatMap((drop) => [
        ...stepsOf(layer.id, [drop], fragments),
        bare(drop, fragments),
      ]);
  }
}

/** A drop of what stands at its last level. */
function bare(drop: Concession, fragments: readonly PricedFragment[]): Concession {
  const lastLevel = ({ index }: Member) => (fragments[index]?.levels.length ?? 1) - 1;
  return { ...drop, members: drop.members.map((member) => ({ ...member, from: lastLevel(member) })) };
}

/** Lists side by side, one place for each group: what is sorted stays small. Bonded fragments count as one, as valuable as
 * their best member. */
interface Groups {
  readonly keeps: number[];
  /** Index of the first member. */
  readonly firsts: number[];
  readonly ranks: number[];
  readonly positions: number[];
  /** The members of bonded groups, by place. */
  readonly bonded: Map<number, Member[]>;
}

function groupsOf(layer: Layer, fragments: readonly PricedFragment[]): Groups {
  const groups: Groups = { keeps: [], firsts: [], ranks: [], positions: [], bonded: new Map() };
  const { keeps, firsts, ranks, positions, bonded } = groups;
  const bonds = new Map<string, number>();
  const pinnedBonds = new Set<string>();
  for (const { fragment } of fragments) {
    if (fragment.layer === layer.id && fragment.pinned && fragment.bond !== undefined)
      pinnedBonds.add(fragment.bond);
  }
  for (let index = 0; index < fragments.length; index += 1) {
    const fragment = fragments[index]?.fragment;
    if (fragment === undefined || fragment.layer !== layer.id) continue;
    const { bond, rank, position } = fragment;
    if (fragment.pinned || (bond !== undefined && pinnedBonds.has(bond))) {
      keeps.push(index);
      continue;
    }
    const found = bond === undefined ? undefined : bonds.get(bond);
    if (found === undefined) {
      if (bond !== undefined) {
        bonds.set(bond, firsts.length);
        bonded.set(firsts.length, [{ index, from: 0 }]);
      }
      firsts.push(index);
      ranks.push(rank);
      positions.push(position);
      continue;
    }
    bonded.get(found)?.push({ index, from: 0 });
    ranks[found] = Math.max(ranks[found] ?? rank, rank);
    positions[found] = Math.max(positions[found] ?? position, position);
  }
  return groups;
}

function inOrder(groups: Groups, layer: Layer, fragments: readonly PricedFragment[]): Concession[] {
  const { firsts, bonded } = groups;
  const ranks = Float64Array.from(groups.ranks);
  const positions = Float64Array.from(groups.positions);
  const idOf = (group: number) => fragments[firsts[group] ?? -1]?.fragment.id ?? '';
  const leastFirst = (a: number, b: number) =>
    (ranks[a] ?? 0) - (ranks[b] ?? 0) ||
    (positions[b] ?? 0) - (positions[a] ?? 0) ||
    byCodePoint(idOf(b), idOf(a));
  const oldestFirst = (a: number, b: number) =>
    (positions[a] ?? 0) - (positions[b] ?? 0) || byCodePoint(idOf(a), idOf(b));
  const order = firsts.map((_, group) => group).sort(layer.keep === 'newest' ? oldestFirst : leastFirst);
  const kind = layer.keep === 'head' ? 'cut' : 'drop';
  // Made in the order in which they are walked.
  return order.map((group) => ({
    kind,
    layer: layer.id,
    members: bonded.get(group) ?? [{ index: firsts[group] ?? -1, from: 0 }],
  }));
}

/** Walks from the most valued end and protects groups until the floor is reached. */
function aboveFloor(
  drops: readonly Concession[],
  {
    keeps,
    fragments,
    floor,
  }: { keeps: readonly number[]; fragments: readonly PricedFragment[]; floor: number },
): readonly Concession[] {
  if (floor <= 0) return drops;
  const weightOf = (index: number) => fragments[index]?.levels[0]?.weight() ?? 0;
  let held = keeps.reduce((sum, index) => sum + weightOf(index), 0);
  let end = drops.length;
  while (end > 0 && held < floor) {
    end -= 1;
    for (const { index } of drops[end]?.members ?? []) held += weightOf(index);
  }
  return drops.slice(0, end);
}

/** Rounds: whoever has most levels left steps down by one, lowest rank first, until all stand at their last level. */
function stepsOf(
  layer: string,
  drops: readonly Concession[],
  fragments: readonly PricedFragment[],
): Concession[] {
  const heightOf = (index: number) => (fragments[index]?.levels.length ?? 1) - 1;
  let tallest = 0;
  for (const { members } of drops)
    for (const { index } of members) tallest = Math.max(tallest, heightOf(index));
  const steps: Concession[] = [];
  for (let height = tallest; height > 0; height -= 1) {
    for (const { members } of drops) {
      for (const { index } of members) {
        const total = heightOf(index);
        if (total >= height) steps.push({ kind: 'step', layer, members: [{ index, from: total - height }] });
      }
    }
  }
  return steps;
}

interface Member {
  /** Into the fragments. */
  readonly index: number;
  /** The level in force before the concession is made. */
  readonly from: number;
}

/** One thing we would be willing to give up. The list of them is worked out before anyone looks at the budget. */
export interface Concession {
  /** `drop` leaves fragments out, `step` shows one at its next level, `cut` keeps as much of a head as fits. */
  readonly kind: 'drop' | 'step' | 'cut';
  readonly layer: string;
  /** More than one for bonded fragments. */
  readonly members: readonly Member[];
}
