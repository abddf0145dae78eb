// What stands at the moment and what it weighs: a level per fragment, and headings and separators for sections that are not empty.
import type { Concession } from '../model/concession.js';
import { type Phrased, weightIn } from '../model/wording.js';

export interface Standing {
  /** Level in force for each wording; -1 when it is out. */
  readonly levels: Int32Array;
  weight: number;
  /** Shows a fragment at a level and says what that costs; the weight is the caller's to change. */
  raise(index: number, to: number): number;
  lower(index: number, to: number): void;
  /** What the section of a fragment costs when its first fragment appears. */
  headingCost(index: number): number;
}

/** Starts with nothing; large assemblies come through here, so sections and channels are counted by number. */
export function emptyStanding(phrased: Phrased): Standing {
  const { wordings, sections } = phrased;
  const prices = [...sections.values()];
  const channels = [...new Set(prices.map(({ channel }) => channel))];
  const channelOf = Int32Array.from(prices, ({ channel }) => channels.indexOf(channel));
  const numbers = new Map([...sections.keys()].map((id, number) => [id, number]));
  const sectionOf = new Int32Array(wordings.length);
  wordings.forEach(({ fragment }, index) => {
    sectionOf[index] = numbers.get(fragment.section) ?? -1;
  });
  const fragmentsIn = new Int32Array(prices.length);
  const sectionsIn = new Int32Array(channels.length);
  const levels = new Int32Array(wordings.length).fill(-1);

  const headingCost = (index: number): number => {
    const section = sectionOf[index] ?? -1;
    const price = prices[section];
    if (price === undefined || (fragmentsIn[section] ?? 0) > 0) return 0;
    return price.weight + ((sectionsIn[channelOf[section] ?? 0] ?? 0) > 0 ? price.apart : 0);
  };
  const count = (index: number, change: 1 | -1): void => {
    const section = sectionOf[index] ?? -1;
    if (section < 0) return;
    const present = (fragmentsIn[section] ?? 0) + change;
    fragmentsIn[section] = present;
    const channel = channelOf[section] ?? 0;
    if (present === (change === 1 ? 1 : 0)) sectionsIn[channel] = (sectionsIn[channel] ?? 0) + change;
  };

  return {
    levels,
    weight: 0,
    headingCost,
    raise(index, to) {
      const now = levels[index] ?? -1;
      levels[index] = to;
      // A fuller level that happens to weigh less is free: the list stays monotone.
      if (now >= 0) return Math.max(0, weightIn(phrased, index, to) - weightIn(phrased, index, now));
      const cost = weightIn(phrased, index, to) + headingCost(index);
      count(index, 1);
      return cost;
    },
    lower(index, to) {
      if ((levels[index] ?? -1) >= 0 && to < 0) count(index, -1);
      levels[index] = to;
    },
  };
}

/** Starts with the given wordings, each at the level asked for. */
export function standingOf(
  phrased: Phrased,
  indices: Iterable<number>,
  levelOf: (index: number) => number = () => 0,
): Standing {
  const standing = emptyStanding(phrased);
  for (const index of indices) standing.weight += standing.raise(index, levelOf(index));
  return standing;
}

/** Takes a concession back and says what that costs. */
export function bringBack(standing: Standing, concession: Concession): number {
  let cost = 0;
  for (const { index, from } of concession.members) cost += standing.raise(index, from);
  return cost;
}

export function giveUp(standing: Standing, { kind, members }: Concession): void {
  for (const { index, from } of members) standing.lower(index, kind === 'step' ? from + 1 : -1);
}
