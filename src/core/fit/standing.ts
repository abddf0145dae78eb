// What stands at the moment and what it weighs: a level per fragment, and headings and separators for sections that are not empty.
import type { Concession } from '../model/concession.js';
import type { Phrased } from '../model/wording.js';

export interface Standing {
  /** Level in force for each wording; -1 when it is out. */
  readonly levels: Int32Array;
  /** Fragments present by section, sections present by channel. */
  readonly sections: Map<string, number>;
  readonly channels: Map<string, number>;
  weight: number;
}

export interface Change {
  readonly index: number;
  readonly to: number;
}

/** Starts with the given wordings, each at the level asked for. */
export function standingOf(
  phrased: Phrased,
  indices: Iterable<number>,
  levelOf: (index: number) => number = () => 0,
): Standing {
  const standing: Standing = {
    levels: new Int32Array(phrased.wordings.length).fill(-1),
    sections: new Map(),
    channels: new Map(),
    weight: 0,
  };
  for (const index of indices) {
    const change = { index, to: levelOf(index) };
    standing.weight += costOf(phrased, standing, change);
    apply(phrased, standing, change);
  }
  return standing;
}

/** What bringing a fragment back, or showing more of it, adds to the weight. */
export function costOf(phrased: Phrased, standing: Standing, { index, to }: Change): number {
  const wording = phrased.wordings[index];
  if (wording === undefined) return 0;
  const now = standing.levels[index] ?? -1;
  const after = wording.levels[to]?.weight() ?? 0;
  if (now < 0) return after + headingCost(phrased, standing, wording.fragment.section);
  // A fuller level that happens to weigh less is free: the list stays monotone.
  return Math.max(0, after - (wording.levels[now]?.weight() ?? 0));
}

/** What a section adds when its first fragment appears. */
export function headingCost(phrased: Phrased, standing: Standing, section: string): number {
  const price = phrased.sections.get(section);
  if (price === undefined || (standing.sections.get(section) ?? 0) > 0) return 0;
  return price.weight + ((standing.channels.get(price.channel) ?? 0) > 0 ? price.apart : 0);
}

export function apply(phrased: Phrased, standing: Standing, { index, to }: Change): void {
  const section = phrased.wordings[index]?.fragment.section ?? '';
  const now = standing.levels[index] ?? -1;
  standing.levels[index] = to;
  if (now < 0 === to < 0) return;
  const count = (standing.sections.get(section) ?? 0) + (to < 0 ? -1 : 1);
  standing.sections.set(section, count);
  const channel = phrased.sections.get(section)?.channel ?? '';
  if (to < 0 && count === 0) standing.channels.set(channel, (standing.channels.get(channel) ?? 1) - 1);
  if (to >= 0 && count === 1) standing.channels.set(channel, (standing.channels.get(channel) ?? 0) + 1);
}

/** Takes a concession back and says what that costs. */
export function bringBack(phrased: Phrased, standing: Standing, concession: Concession): number {
  let cost = 0;
  for (const { index, from } of concession.members) {
    // Bonded members share a heading, so each is priced after the one before it stands.
    const change = { index, to: from };
    cost += costOf(phrased, standing, change);
    apply(phrased, standing, change);
  }
  return cost;
}

export function giveUp(phrased: Phrased, standing: Standing, concession: Concession): void {
  for (const { index, from } of concession.members) {
    apply(phrased, standing, { index, to: concession.kind === 'step' ? from + 1 : -1 });
  }
}
