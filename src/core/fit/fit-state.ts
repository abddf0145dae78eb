// What fitting works on, all of it in weights: what stands at the moment and what it costs, and the shortest prefix of the concession
// list that fits.
import type { Bounds } from '../model/budget.js';
import { GalleyError } from '../model/error.js';
import { amountOf, type Meter } from '../model/meter.js';
import { type PricedSet, weightIn } from '../model/priced-set.js';
import type { Recipe } from '../model/recipe.js';
import type { Concession } from './concession-list.js';

export interface FitOptions extends Bounds {
  readonly recipe: Recipe;
  readonly meter: Meter;
  /** Allowed for each page. */
  readonly limit: number;
}

/**
 * What stands at the moment and what it weighs: a level per fragment, and headings and separators for sections that are not empty.
 */
export interface FitState {
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
function emptyFitState(priced: PricedSet): FitState {
  const { fragments, sections } = priced;
  const prices = [...sections.values()];
  const channels = [...new Set(prices.map(({ channel }) => channel))];
  const channelOf = Int32Array.from(prices, ({ channel }) => channels.indexOf(channel));
  const numbers = new Map([...sections.keys()].map((id, number) => [id, number]));
  const sectionOf = new Int32Array(fragments.length);
  fragments.forEach(({ fragment }, index) => {
    sectionOf[index] = numbers.get(fragment.section) ?? -1;
  });
  const fragmentsIn = new Int32Array(prices.length);
  const sectionsIn = new Int32Array(channels.length);
  const levels = new Int32Array(fragments.length).fill(-1);

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
      if (now >= 0) return Math.max(0, weightIn(priced, index, to) - weightIn(priced, index, now));
      const cost = weightIn(priced, index, to) + headingCost(index);
      count(index, 1);
      return cost;
    },
    lower(index, to) {
      if ((levels[index] ?? -1) >= 0 && to < 0) count(index, -1);
      levels[index] = to;
    },
  };
}

/** Starts with the given fragments, each at the level asked for. */
export function fitStateOf(
  priced: PricedSet,
  indices: Iterable<number>,
  levelOf: (index: number) => number = () => 0,
): FitState {
  const state = emptyFitState(priced);
  for (const index of indices) state.weight += state.raise(index, levelOf(index));
  return state;
}

/** Takes a concession back and says what that costs. */
export function bringBack(state: FitState, concession: Concession): number {
  let cost = 0;
  for (const { index, from } of concession.members) cost += state.raise(index, from);
  return cost;
}

export function giveUp(state: FitState, { kind, members }: Concession): void {
  for (const { index, from } of members) state.lower(index, kind === 'step' ? from + 1 : -1);
}

interface ShortestPrefix {
  /** How many concessions, counted from the front of the list, had to be made. */
  readonly made: number;
  /** Room for the head of a fragment whose cut is the last concession made. */
  readonly roomForHead?: number;
}

/**
 * The walk goes from the far end, where everything is conceded, and takes concessions back while there is room: it finds the same
 * prefix as a search from the front, and only what stays is priced. `state` has every concession of the list made.
 */
export function shortestPrefix(
  priced: PricedSet,
  state: FitState,
  { list, limit }: { list: readonly Concession[]; limit: number },
): ShortestPrefix {
  for (let made = list.length; made > 0; made -= 1) {
    const concession = list[made - 1];
    if (concession === undefined) break;
    const cost = bringBack(state, concession);
    if (state.weight + cost <= limit) {
      state.weight += cost;
      continue;
    }
    giveUp(state, concession);
    if (concession.kind !== 'cut') return { made };
    const index = concession.members[0]?.index ?? -1;
    const between = priced.sections.get(priced.fragments[index]?.fragment.section ?? '')?.between ?? 0;
    const around = state.headingCost(index) + between;
    return { made, roomForHead: limit - state.weight - around };
  }
  return { made: 0 };
}

/** What stands at the moment, by section and without headings, in the caller's units: `text 2012`. */
export function partsOf(priced: PricedSet, { levels }: FitState, meter: Meter): string[] {
  const sums = new Map<string, number>();
  priced.fragments.forEach(({ fragment: { section } }, index) => {
    const level = levels[index] ?? -1;
    if (level >= 0) sums.set(section, (sums.get(section) ?? 0) + weightIn(priced, index, level));
  });
  return [...sums].map(([section, weight]) => `${section} ${amountOf(meter, weight).n}`);
}

/** The refusal when what must stay does not fit, said in the caller's units, and of which parts it consists where that is known. */
export function infeasible(
  meter: Meter,
  { needed, limit, parts }: { needed: number; limit: number; parts?: readonly string[] },
): GalleyError {
  const need = amountOf(meter, needed).n;
  const have = Math.max(0, Math.floor(limit / meter.scale));
  return new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `What must stay needs ${need} ${meter.unit} and the budget allows ${have}: ${need - have} more are needed.`,
    {
      details: {
        ...{ needed: need, limit: have, missing: need - have, unit: meter.unit },
        ...(parts === undefined ? {} : { parts }),
      },
    },
  );
}
