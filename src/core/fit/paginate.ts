// Overflow answered by another page: what stands on every page is settled first, the rest is spread over pages of that size.

import { weightOf } from '../model/meter.js';
import type { FitResult, FragmentChoice, PricedSet } from '../model/priced-set.js';
import { concede } from './concede.js';
import { type Concession, concessionsOf } from './concession-list.js';
import { type FitOptions, type FitState, fitStateOf, infeasible, shortestPrefix } from './fit-state.js';
import { type PackItem, packPages } from './pack-pages.js';

interface Parcel extends PackItem {
  readonly members: readonly number[];
  readonly rank: number;
  readonly spread: number;
}

export function paginate(priced: PricedSet, options: FitOptions): FitResult {
  const everyPage = new Set(options.recipe.layers.filter((layer) => layer.everyPage).map(({ id }) => id));
  const [repeating, beside, spread]: [number[], number[], number[]] = [[], [], []];
  priced.fragments.forEach(({ fragment }, index) => {
    if (everyPage.has(fragment.layer)) repeating.push(index);
    else (fragment.beside === undefined ? spread : beside).push(index);
  });
  const loads = parcelsOf(priced, spread);

  const headings = headingsOf(priced, loads);
  const heaviest = loads.reduce((most, parcel) => Math.max(most, parcel.weight), 0);
  const { repeated, made, offered } = settleRepeated(priced, repeating, {
    ...options,
    limit: options.limit - headings,
    wanted: heaviest,
  });
  const room = options.limit - headings - repeated.weight;
  const bound = options.spread ?? room;
  const capacity = Math.min(room, bound);
  // Two bounds as one: whatever keeps to the narrower of its shares keeps to both.
  const parcels = loads.map((parcel) => ({
    ...parcel,
    weight: Math.max(
      room === capacity ? parcel.weight : (parcel.weight * capacity) / room,
      bound === capacity ? parcel.spread : (parcel.spread * capacity) / bound,
    ),
  }));
  const fitting = parcels.filter((parcel) => parcel.weight <= capacity);
  const { kept, pages } = withinPages(fitting, capacity, options.maxPages);

  const pageOf = new Map<number, number>();
  kept.forEach((parcel, at) => {
    for (const index of parcel.members) pageOf.set(index, pages[at] ?? 0);
  });
  const companions = fitCompanions(priced, options, {
    companions: beside,
    repeated: repeating.filter((index) => (repeated.levels[index] ?? -1) >= 0),
    pageOf,
  });
  const tooLarge = new Set(
    parcels.filter((parcel) => parcel.weight > capacity).flatMap(({ members }) => members),
  );
  const choices = priced.fragments.map((wording, index): FragmentChoice => {
    if (everyPage.has(wording.fragment.layer)) {
      const level = repeated.levels[index] ?? -1;
      if (level < 0) return { wording, verdict: 'conceded', reason: 'every page needs the room' };
      const verdict = level > 0 ? 'stepped-down' : 'kept';
      return { wording, level, verdict, reason: 'it stands on every page' };
    }
    const page = pageOf.get(index);
    if (page !== undefined) return { wording, level: 0, page, verdict: 'kept', reason: 'it fits' };
    const companion = companions.choices.get(index);
    if (companion !== undefined) return companion;
    if (wording.fragment.beside !== undefined)
      return { wording, verdict: 'conceded', reason: 'what it stands beside is not there' };
    if (tooLarge.has(index))
      return { wording, verdict: 'too-large', reason: 'it alone is larger than a page' };
    return { wording, verdict: 'beyond-pages', reason: `only ${options.maxPages} pages are allowed` };
  });
  const count = pages.reduce((most, page) => Math.max(most, page + 1), 0);
  const beyond = fitting.length - kept.length;
  return {
    choices,
    pages: Math.max(1, count),
    concessions: {
      made: made + beyond + companions.made,
      offered: offered + fitting.length + companions.offered,
    },
    byPage: companions.byPage,
  };
}

interface CompanionInput {
  readonly companions: readonly number[];
  /** What stands on every page. */
  readonly repeated: readonly number[];
  readonly pageOf: ReadonlyMap<number, number>;
}

interface FittedCompanions {
  readonly choices: ReadonlyMap<number, FragmentChoice>;
  readonly byPage: readonly FitResult['concessions'][];
  readonly made: number;
  readonly offered: number;
}

/** What stands beside something takes room its page has left: page by page, by giving way, and never pushes anything out. */
function fitCompanions(
  priced: PricedSet,
  options: FitOptions,
  { companions, repeated, pageOf }: CompanionInput,
): FittedCompanions {
  const byId = new Map(priced.fragments.map(({ fragment }, index) => [fragment.id, index]));
  const pages: { fixed: number[]; beside: number[] }[] = [];
  const at = (page: number) => {
    pages[page] ??= { fixed: [], beside: [] };
    return pages[page];
  };
  for (const [index, page] of pageOf) at(page).fixed.push(index);
  for (const index of companions) {
    const page = pageOf.get(byId.get(priced.fragments[index]?.fragment.beside ?? '') ?? -1);
    if (page !== undefined) at(page).beside.push(index);
  }
  const moving = new Set(companions.map((index) => priced.fragments[index]?.fragment.layer ?? ''));
  const layers = options.recipe.layers.map(({ yieldOrder = 0, ...layer }) =>
    moving.has(layer.id) ? { ...layer, yieldOrder } : { ...layer, selfCapped: false },
  );
  const recipe = { ...options.recipe, layers };
  const choices = new Map<number, FragmentChoice>();
  const byPage: FitResult['concessions'][] = [];
  pages.forEach(({ fixed, beside }, page) => {
    byPage[page] = { made: 0, offered: 0 };
    if (beside.length === 0) return;
    const own = [...repeated, ...fixed, ...beside].sort((a, b) => a - b);
    const lines = (options.lines ?? []).filter((line) => (line.page ?? page) === page);
    const chosen = concede(partOf(priced, own), { ...options, recipe, lines });
    byPage[page] = chosen.concessions;
    const wanted = new Set(beside);
    chosen.choices.forEach((choice, place) => {
      const index = own[place] ?? -1;
      if (wanted.has(index))
        choices.set(index, { ...choice, ...(choice.level === undefined ? { near: page } : { page }) });
    });
  });
  const sum = (pick: 'made' | 'offered') => byPage.reduce((total, each) => total + each[pick], 0);
  return { choices, byPage, made: sum('made'), offered: sum('offered') };
}

/** Some of the fragments, under the prices they have. */
function partOf({ fragments, sections, prices }: PricedSet, indices: readonly number[]): PricedSet {
  return {
    fragments: indices.flatMap((index) => fragments[index] ?? []),
    sections,
    prices: { first: Int32Array.from(indices, (index) => prices.first[index] ?? 0), weights: prices.weights },
  };
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

function parcelsOf(priced: PricedSet, indices: readonly number[]): Parcel[] {
  const byKey = new Map<string, Mutable<Omit<Parcel, 'key' | 'after'>> & { members: number[] }>();
  for (const index of indices) {
    const wording = priced.fragments[index];
    if (wording === undefined) continue;
    const { bond, id, rank, affinity, stood } = wording.fragment;
    const weight = wording.levels[0]?.weight() ?? 0;
    const spread = wording.fragment.spread ?? weight;
    const key = bond === undefined ? `id ${id}` : `bond ${bond}`;
    const found = byKey.get(key);
    if (found === undefined) {
      byKey.set(key, {
        ...{ members: [index], weight, spread, rank },
        ...(affinity === undefined ? {} : { affinity }),
        ...(stood === undefined ? {} : { stood }),
      });
    } else {
      found.members.push(index);
      found.weight += weight;
      found.spread += spread;
      found.rank = Math.max(found.rank, rank);
    }
  }
  const list = [...byKey.values()];
  const parcelOf = new Map<string, number>();
  list.forEach(({ members }, at) => {
    for (const index of members) parcelOf.set(priced.fragments[index]?.fragment.id ?? '', at);
  });
  return list.map((parcel, at) => {
    const fragment = priced.fragments[parcel.members[0] ?? 0]?.fragment;
    const after = parcelOf.get(fragment?.after ?? '');
    return { ...parcel, key: fragment?.id ?? '', ...(after === undefined || after === at ? {} : { after }) };
  });
}

/** What the spread sections cost on a page that has all of them. */
function headingsOf(priced: PricedSet, parcels: readonly Parcel[]): number {
  const ids = parcels.flatMap(({ members }) =>
    members.map((index) => priced.fragments[index]?.fragment.section ?? ''),
  );
  let weight = 0;
  for (const id of new Set(ids)) {
    const price = priced.sections.get(id);
    if (price !== undefined) weight += price.weight + price.apart;
  }
  return weight;
}

/** Repeated layers that yield give way until the heaviest parcel has room; the others must stay. */
function settleRepeated(
  priced: PricedSet,
  indices: readonly number[],
  { recipe, meter, limit, wanted }: FitOptions & { wanted: number },
): { repeated: FitState; made: number; offered: number } {
  const yielding = recipe.layers.filter((layer) => layer.everyPage && layer.yieldOrder !== undefined);
  yielding.sort((a, b) => (a.yieldOrder ?? 0) - (b.yieldOrder ?? 0));
  const list: Concession[] = yielding.flatMap((layer) =>
    concessionsOf(layer, priced.fragments, weightOf(meter, layer.floor ?? 0)).filter(
      ({ kind }) => kind === 'drop',
    ),
  );
  const leaving = new Set(list.flatMap(({ members }) => members.map(({ index }) => index)));
  const repeated = fitStateOf(
    priced,
    indices.filter((index) => !leaving.has(index)),
  );
  if (repeated.weight > limit) throw infeasible(meter, { needed: repeated.weight, limit });
  const { made } = shortestPrefix(priced, repeated, {
    list,
    limit: Math.max(repeated.weight, limit - wanted),
  });
  return { repeated, made, offered: list.length };
}

/** When pages are capped, the lowest ranks go until the rest fits into them; then whatever still fits comes back. */
function withinPages(
  parcels: readonly Parcel[],
  capacity: number,
  maxPages: number | undefined,
): { kept: readonly Parcel[]; pages: readonly number[] } {
  const whole = packPages(among(parcels, parcels), capacity);
  if (maxPages === undefined || whole.count <= maxPages) return { kept: parcels, pages: whole.pages };
  const byValue = [...parcels].sort((a, b) => b.rank - a.rank || (a.members[0] ?? 0) - (b.members[0] ?? 0));
  let low = 0;
  let high = byValue.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (packPages(among(byValue.slice(0, middle), parcels), capacity).count <= maxPages) low = middle;
    else high = middle - 1;
  }
  const kept = byValue.slice(0, low);
  const pages = [...packPages(among(kept, parcels), capacity).pages];
  const room = new Array<number>(maxPages).fill(capacity);
  kept.forEach((parcel, at) => {
    room[pages[at] ?? 0] = (room[pages[at] ?? 0] ?? 0) - parcel.weight;
  });
  for (const parcel of byValue.slice(low)) {
    const page = room.findIndex((left) => left >= parcel.weight);
    if (page < 0) continue;
    room[page] = (room[page] ?? 0) - parcel.weight;
    kept.push(parcel);
    pages.push(page);
  }
  return { kept, pages };
}

/** Who follows whom, renumbered for a choice of the parcels. */
function among(chosen: readonly Parcel[], all: readonly Parcel[]): PackItem[] {
  const at = new Map(chosen.map((parcel, index) => [parcel, index]));
  return chosen.map(({ key, weight, affinity, after, stood }) => {
    const followed = after === undefined ? undefined : at.get(all[after] as Parcel);
    return {
      key,
      weight,
      ...(affinity === undefined ? {} : { affinity }),
      ...(followed === undefined ? {} : { after: followed }),
      ...(stood === undefined ? {} : { stood }),
    };
  });
}
