// Everything we would be willing to give up, in order, worked out without looking at the budget.
import { byCodePoint } from '../model/code-point-order.js';
import type { Concession, Member } from '../model/concession.js';
import type { Layer } from '../model/layer.js';
import type { Wording } from '../model/wording.js';

/** A concession with what its place in the order depends on. Bonded fragments count as one, as valuable as their best member. */
interface Group extends Concession {
  readonly members: Member[];
  rank: number;
  position: number;
  readonly id: string;
}

/** Concessions of one layer, first to go first. `floor` is a weight the layer keeps if it has that much. */
export function concessionsOf(
  layer: Layer,
  wordings: readonly Wording[],
  floor: number,
): readonly Concession[] {
  const { keeps, groups } = groupsOf(layer, wordings);
  const lastLevel = ({ index }: Member) => (wordings[index]?.levels.length ?? 1) - 1;
  switch (layer.manner) {
    case 'all':
      return [];
    case 'newest':
      return aboveFloor(groups.sort(oldestFirst), { keeps, wordings, floor });
    case 'head':
    case 'nearest':
    case 'highest-rank':
      return aboveFloor(groups.sort(leastFirst), { keeps, wordings, floor });
    case 'level':
      return stepsOf(layer.id, groups.sort(leastFirst), wordings);
    case 'level-then-rank': {
      const steps = stepsOf(layer.id, groups.sort(leastFirst), wordings);
      const bare = (group: Group): Concession => ({
        ...group,
        members: group.members.map((member) => ({ ...member, from: lastLevel(member) })),
      });
      return [...steps, ...groups.map(bare)];
    }
  }
}

function groupsOf(layer: Layer, wordings: readonly Wording[]): { keeps: number[]; groups: Group[] } {
  const kind = layer.manner === 'head' ? 'cut' : 'drop';
  const keeps: number[] = [];
  const groups: Group[] = [];
  const bonds = new Map<string, Group>();
  const pinnedBonds = new Set<string>();
  wordings.forEach(({ fragment }) => {
    if (fragment.layer === layer.id && fragment.pinned && fragment.bond !== undefined)
      pinnedBonds.add(fragment.bond);
  });
  wordings.forEach(({ fragment }, index) => {
    if (fragment.layer !== layer.id) return;
    const { bond } = fragment;
    if (fragment.pinned || (bond !== undefined && pinnedBonds.has(bond))) {
      keeps.push(index);
      return;
    }
    const found = bond === undefined ? undefined : bonds.get(bond);
    if (found === undefined) {
      const group: Group = {
        kind,
        layer: layer.id,
        members: [{ index, from: 0 }],
        rank: fragment.rank,
        position: fragment.position,
        id: fragment.id,
      };
      groups.push(group);
      if (bond !== undefined) bonds.set(bond, group);
      return;
    }
    found.members.push({ index, from: 0 });
    found.rank = Math.max(found.rank, fragment.rank);
    found.position = Math.max(found.position, fragment.position);
  });
  return { keeps, groups };
}

function leastFirst(a: Group, b: Group): number {
  return a.rank - b.rank || b.position - a.position || byCodePoint(b.id, a.id);
}

function oldestFirst(a: Group, b: Group): number {
  return a.position - b.position || byCodePoint(a.id, b.id);
}

/** Walks from the most valued end and protects groups until the floor is reached. */
function aboveFloor(
  groups: readonly Group[],
  { keeps, wordings, floor }: { keeps: readonly number[]; wordings: readonly Wording[]; floor: number },
): readonly Group[] {
  if (floor <= 0) return groups;
  const weightOf = (index: number) => wordings[index]?.levels[0]?.weight() ?? 0;
  let held = keeps.reduce((sum, index) => sum + weightOf(index), 0);
  let end = groups.length;
  while (end > 0 && held < floor) {
    end -= 1;
    for (const { index } of groups[end]?.members ?? []) held += weightOf(index);
  }
  return groups.slice(0, end);
}

/** Rounds: whoever has most levels left steps down by one, lowest rank first, until all stand at their last level. */
function stepsOf(layer: string, groups: readonly Group[], wordings: readonly Wording[]): Concession[] {
  const heightOf = (index: number) => (wordings[index]?.levels.length ?? 1) - 1;
  let tallest = 0;
  for (const { members } of groups)
    for (const { index } of members) tallest = Math.max(tallest, heightOf(index));
  const steps: Concession[] = [];
  for (let height = tallest; height > 0; height -= 1) {
    for (const { members } of groups) {
      for (const { index } of members) {
        const total = heightOf(index);
        if (total >= height) steps.push({ kind: 'step', layer, members: [{ index, from: total - height }] });
      }
    }
  }
  return steps;
}
