// Overflow answered by giving way: own lines first, then the shortest prefix of the list, then small pieces into leftover room.

import type { BudgetLine } from '../model/budget.js';
import { codePointBorder } from '../model/code-points.js';
import { type Meter, weightOf } from '../model/meter.js';
import type { FitResult, FragmentChoice, PricedFragment, PricedSet } from '../model/priced-set.js';
import type { Layer } from '../model/recipe.js';
import { type Concession, concessionsOf } from './concession-list.js';
import {
  bringBack,
  type FitOptions,
  type FitState,
  fitStateOf,
  giveUp,
  infeasible,
  partsOf,
  shortestPrefix,
} from './fit-state.js';

export function concede(priced: PricedSet, { recipe, meter, limit, lines }: FitOptions): FitResult {
  const offers = offersOf(priced.fragments);
  const kept = keepOwnLines(priced, { layers: recipe.layers, limit, lines, offers });
  const isMade = ({ kind, members }: Concession) =>
    members.some(({ index, from }) => {
      const level = kept.levels.get(index) ?? 0;
      return level === gone || (kind === 'step' && from < level);
    });
  const list = fullList({ recipe, meter, offers }).filter((concession) => !isMade(concession));
  const state = barest(priced, kept.levels, list);
  if (state.weight > limit)
    throw infeasible(meter, { needed: state.weight, limit, parts: partsOf(priced, state, meter) });
  const { made, roomForHead } = shortestPrefix(priced, state, { list, limit });
  const cut = cutOf(priced, list[made - 1], roomForHead, meter);
  const refilled =
    cut === undefined ? refill(state, { list, made, layers: recipe.layers, limit, offers }) : new Set();

  const reasons = reasonsOf(recipe.layers);
  const choices = priced.fragments.map((wording, index): FragmentChoice => {
    const level = state.levels[index] ?? -1;
    if (kept.levels.get(index) === gone) {
      return {
        wording,
        verdict: 'over-own-line',
        reason: `layer "${wording.fragment.layer}" keeps to its own line`,
      };
    }
    if (cut?.index === index)
      return { wording, level: 0, cutAt: cut.end, verdict: 'cut', reason: 'only its head fits' };
    if (level < 0) return { wording, verdict: 'conceded', reason: reasons.get(wording.fragment.layer) ?? '' };
    if (refilled.has(index) || kept.refilled.has(index))
      return { wording, level, verdict: 'refilled', reason: 'it fits into room left over' };
    if (level > 0) return { wording, level, verdict: 'stepped-down', reason: 'a fuller level does not fit' };
    return { wording, level, verdict: 'kept', reason: wording.fragment.pinned ? 'pinned' : 'it fits' };
  });
  return { choices, pages: 1, concessions: { made, offered: list.length } };
}

/** What follows from the fragments alone; lines and the whole ask for the same of it. */
interface Offers {
  /** Of a layer, down to its floor. */
  concessions(layer: Layer, floor: number): readonly Concession[];
  /** For each fragment that continues another, where that one is; one that is not there is nowhere. */
  leansOn(): ReadonlyMap<number, number>;
}

function offersOf(fragments: readonly PricedFragment[]): Offers {
  const lists = new Map<string, readonly Concession[]>();
  let leaning: ReadonlyMap<number, number> | undefined;
  return {
    concessions(layer, floor) {
      const name = `${floor} ${layer.id}`;
      const list = lists.get(name) ?? concessionsOf(layer, fragments, floor);
      lists.set(name, list);
      return list;
    },
    leansOn() {
      leaning ??= placesLeantOn(fragments);
      return leaning;
    },
  };
}

function fullList({
  recipe,
  meter,
  offers,
}: Pick<FitOptions, 'recipe' | 'meter'> & { offers: Offers }): Concession[] {
  const yielding = recipe.layers.filter((layer) => layer.yieldOrder !== undefined && !layer.selfCapped);
  yielding.sort((a, b) => (a.yieldOrder ?? 0) - (b.yieldOrder ?? 0));
  const lists = yielding.map((layer) => offers.concessions(layer, weightOf(meter, layer.floor ?? 0)));
  return ([] as Concession[]).concat(...lists);
}

/** Everything conceded: what leaves is gone, what steps stands at the level its last step leads to. */
function barest(
  priced: PricedSet,
  settled: ReadonlyMap<number, number>,
  list: readonly Concession[],
): FitState {
  const levels = Int32Array.from(priced.fragments, (_, index) => settled.get(index) ?? 0);
  for (const { kind, members } of list)
    if (kind === 'step') for (const { index, from } of members) levels[index] = from + 1;
  for (const { kind, members } of list)
    if (kind !== 'step') for (const { index } of members) levels[index] = gone;
  const stays: number[] = [];
  for (let index = 0; index < levels.length; index += 1) if (levels[index] !== gone) stays.push(index);
  return fitStateOf(priced, stays, (index) => levels[index] ?? 0);
}

const gone = -1;

function cutOf(
  priced: PricedSet,
  concession: Concession | undefined,
  room: number | undefined,
  meter: Meter,
): { index: number; end: number } | undefined {
  if (concession === undefined || room === undefined) return undefined;
  const index = concession.members[0]?.index ?? -1;
  const text = priced.fragments[index]?.levels[0]?.textAt(1) ?? '';
  const end = longestHead(text, room, meter);
  return end > 0 ? { index, end } : undefined;
}

function reasonsOf(layers: FitOptions['recipe']['layers']): Map<string, string> {
  return new Map(layers.map(({ id, keep }) => [id, `the budget is spent; layer "${id}" keeps ${keep}`]));
}

interface LineOptions {
  readonly layers: readonly Layer[];
  readonly limit: number;
  readonly lines?: readonly BudgetLine[] | undefined;
  readonly offers: Offers;
}

interface KeptLines {
  /** What steps down or leaves so that every line is kept, as far as pins allow. */
  readonly levels: ReadonlyMap<number, number>;
  /** Smaller ones that stay in what larger ones left of a line. */
  readonly refilled: ReadonlySet<number>;
}

/**
 * Lines that layers keep to by themselves, before anyone competes for the whole: a share of the budget, or so much together.
 */
function keepOwnLines(priced: PricedSet, { layers, limit, lines = [], offers }: LineOptions): KeptLines {
  const levels = new Map<number, number>();
  const refilled = new Set<number>();
  const own = layers.flatMap(({ id, selfCapped, share }): BudgetLine[] =>
    selfCapped && share !== undefined ? [{ layers: [id], n: Math.floor(limit * share) }] : [],
  );
  for (const { layers: ids, n } of [...own, ...lines]) {
    const members = layers.filter(({ id }) => ids.includes(id));
    members.sort((a, b) => (a.yieldOrder ?? 0) - (b.yieldOrder ?? 0));
    const list = members.flatMap((layer) => offers.concessions(layer, 0));
    const state = fixedOf(priced, new Set(ids), list);
    const { made } = shortestPrefix(priced, state, { list, limit: n });
    for (const index of refill(state, { list, made, layers: members, limit: n, offers })) refilled.add(index);
    for (const concession of list.slice(0, made))
      for (const { index } of concession.members) {
        const level = state.levels[index] ?? gone;
        const before = levels.get(index) ?? level;
        levels.set(index, before === gone || level === gone ? gone : Math.max(before, level));
      }
  }
  return { levels, refilled };
}

/** Members of the layers that no concession of the list can move. */
function fixedOf(priced: PricedSet, layers: ReadonlySet<string>, list: readonly Concession[]): FitState {
  const movable = new Uint8Array(priced.fragments.length);
  for (const { members } of list) for (const { index } of members) movable[index] = 1;
  const fixed: number[] = [];
  priced.fragments.forEach(({ fragment }, index) => {
    if (movable[index] === 0 && layers.has(fragment.layer)) fixed.push(index);
  });
  return fitStateOf(priced, fixed);
}

interface RefillOptions {
  readonly list: readonly Concession[];
  readonly made: number;
  readonly layers: readonly Layer[];
  readonly limit: number;
  readonly offers: Offers;
}

/** Of a layer that can be cut, what refilling may use: what is left is used by the cut. */
const refillShare = 0.05;

/** Room left by a large piece may be used by smaller ones of lower rank; they carry the verdict `refilled`. */
function refill(state: FitState, { list, made, layers, limit, offers }: RefillOptions): Set<number> {
  const rooms = new Map(layers.flatMap((layer) => roomToRefill(layer, limit)));
  const refilled = new Set<number>();
  if (rooms.size === 0) return refilled;
  const leansOn = offers.leansOn();
  const levelAt = (index: number) => state.levels[index] ?? gone;
  const isOpen = ({ kind, members }: Concession) =>
    members.every(({ index, from }) => {
      const place = leansOn.get(index);
      // What leans on another joins its last line, so that one must be whole.
      if (place !== undefined && levelAt(place) !== 0) return false;
      return kind !== 'step' || (refilled.has(index) && levelAt(index) === from + 1);
    });
  for (let at = made - 1; at >= 0 && state.weight < limit; at -= 1) {
    const concession = list[at];
    const room = concession === undefined ? undefined : rooms.get(concession.layer);
    if (concession === undefined || room === undefined || !isOpen(concession)) continue;
    const cost = bringBack(state, concession);
    if (cost <= room && state.weight + cost <= limit) {
      state.weight += cost;
      rooms.set(concession.layer, room - cost);
      for (const { index } of concession.members) refilled.add(index);
    } else {
      giveUp(state, concession);
    }
  }
  return refilled;
}

function roomToRefill({ id, keep, refill: mayRefill }: Layer, limit: number): [string, number][] {
  if (!mayRefill) return [];
  if (keep === 'highest-rank') return [[id, limit]];
  return keep === 'rank-then-level' ? [[id, Math.floor(limit * refillShare)]] : [];
}

function placesLeantOn(fragments: readonly PricedFragment[]): ReadonlyMap<number, number> {
  const leaning = fragments.flatMap(({ fragment }, index) =>
    fragment.continues === undefined ? [] : [index],
  );
  if (leaning.length === 0) return new Map();
  const places = new Map(fragments.map(({ fragment }, index) => [fragment.id, index]));
  return new Map(
    leaning.map((index) => [index, places.get(fragments[index]?.fragment.continues ?? '') ?? -1]),
  );
}

const stride = 4096;

/** The longest head of a text that weighs no more than allowed, ending on a code-point border. */
export function longestHead(text: string, room: number, meter: Meter): number {
  if (room <= 0) return 0;
  // Strides are weighed once each to come near; the bisection then measures whole heads, so the result is exact.
  let near = 0;
  let weight = 0;
  while (near < text.length) {
    const next = codePointBorder(text, Math.min(text.length, near + stride));
    weight += meter.weigh(text.slice(near, next));
    near = next;
    if (weight > room) break;
  }
  const fits = (end: number) => meter.weigh(text.slice(0, end)) <= room;
  if (near === text.length && fits(near)) return near;
  let high = near;
  let low = codePointBorder(text, Math.max(0, near - 2 * stride));
  while (low > 0 && !fits(low)) {
    high = low;
    low = codePointBorder(text, Math.max(0, low - stride));
  }
  while (high - low > 1) {
    const middle = codePointBorder(text, low + Math.ceil((high - low) / 2));
    if (middle <= low) break;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
