// First-fit decreasing over pages of one size. Items that belong together travel together wherever that costs no page; items
// that follow others never stand on an earlier page; items that had a page before keep it while they fit.
import { byCodePoint } from '../model/code-points.js';

export interface PackItem {
  readonly key: string;
  readonly weight: number;
  readonly affinity?: string;
  /** Index of the item it follows. */
  readonly after?: number;
  /** Where it stood before, from zero. */
  readonly stood?: number;
}

interface Packing {
  /** A page number for every item, in the order given. */
  readonly pages: number[];
  readonly count: number;
}

/** No item may weigh more than the capacity. */
export function packPages(items: readonly PackItem[], capacity: number): Packing {
  const anew = packAnew(items, capacity);
  if (items.every(({ stood }) => stood === undefined)) return anew;
  const again = packAgain(items, capacity);
  // Keeping places is worth a page, not a book of half-empty ones.
  return again.count <= Math.max(anew.count + 1, anew.count * maxWaste) ? again : anew;
}

const maxWaste = 1.25;

/** Everything that stood somewhere stays there while it fits; the rest takes what room there is. */
function packAgain(items: readonly PackItem[], capacity: number): Packing {
  const room = roomFinder(2 * items.length, capacity);
  const pages = new Array<number>(items.length).fill(-1);
  const open: number[] = [];
  items.forEach(({ weight, stood, after }, index) => {
    const isKept =
      stood !== undefined && stood < items.length && after === undefined && room.takeAt(stood, weight);
    if (isKept) pages[index] = stood;
    else open.push(index);
  });
  open.sort(
    (a, b) =>
      (items[b]?.weight ?? 0) - (items[a]?.weight ?? 0) ||
      byCodePoint(items[a]?.key ?? '', items[b]?.key ?? ''),
  );
  const place = (index: number): void => {
    const { weight = 0, after } = items[index] ?? {};
    if ((pages[index] ?? 0) >= 0) return;
    if (after !== undefined && pages[after] === -1) place(after);
    pages[index] = room.take(weight, after === undefined ? 0 : Math.max(0, pages[after] ?? 0));
  };
  for (const index of open) place(index);
  const numbers = [...new Set(pages)].sort((a, b) => a - b);
  return { pages: pages.map((page) => numbers.indexOf(page)), count: numbers.length };
}

function packAnew(items: readonly PackItem[], capacity: number): Packing {
  const whole = chainsOf(items);
  const chained = new Set(whole.flat());
  const followed = new Set(items.map(({ after }) => after));
  // The last link of a chain holds nobody up, so it waits for its turn by size.
  const chains = whole.map((chain) => chain.filter((index) => followed.has(index)));
  const held = new Set(chains.flat());
  const singles: Bundle[] = [];
  items.forEach(({ key, weight, after }, index) => {
    if (held.has(index)) return;
    const follows = chained.has(index) && after !== undefined ? { after } : {};
    singles.push({ key, weight, members: [index], ...follows });
  });
  const pack = (bundles: readonly Bundle[]) => firstFit(items, { chains, bundles, capacity });
  const plain = pack(singles);
  const clusters = clustersOf(items, chained, capacity);
  if (clusters.length === 0) return plain;

  // Dissolving the heaviest clusters first leads back to the plain packing; find how few must go.
  clusters.sort((a, b) => b.weight - a.weight || byCodePoint(a.key, b.key));
  const attempt = (together: readonly Bundle[]) => {
    const joined = new Set(together.flatMap((cluster) => cluster.members));
    return pack([...together, ...singles.filter(({ members }) => !joined.has(members[0] ?? -1))]);
  };
  let low = 0;
  let high = clusters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (attempt(clusters.slice(middle)).count <= plain.count) high = middle;
    else low = middle + 1;
  }
  let together = clusters.slice(low);
  let best = attempt(together);
  if (best.count > plain.count) [together, best] = [[], plain];
  // Some of the dissolved may still travel together; the lightest are the most likely.
  for (const cluster of clusters.slice(0, low).reverse().slice(0, maxRetries)) {
    const next = attempt([...together, cluster]);
    if (next.count > plain.count) continue;
    together = [...together, cluster];
    best = next;
  }
  return best;
}

const maxRetries = 40;

interface Bundle {
  readonly key: string;
  readonly weight: number;
  readonly members: readonly number[];
  readonly after?: number;
}

/** Items that follow one another, first to last; the heaviest chain comes first. A circle is cut where it closes. */
function chainsOf(items: readonly PackItem[]): number[][] {
  const next = new Map<number, number[]>();
  items.forEach(({ after }, index) => {
    if (after === undefined || items[after] === undefined || after === index) return;
    next.set(after, [...(next.get(after) ?? []), index]);
  });
  const follows = new Set([...next.values()].flat());
  const seen = new Set<number>();
  const walk = (start: number): number[] => {
    const chain: number[] = [];
    const open = [start];
    for (let at = open.shift(); at !== undefined; at = open.shift()) {
      if (seen.has(at)) continue;
      seen.add(at);
      chain.push(at);
      open.unshift(...(next.get(at) ?? []));
    }
    return chain;
  };
  const heads = [...next.keys()].filter((index) => !follows.has(index));
  const chains = [...heads, ...next.keys()].map(walk).filter((chain) => chain.length > 0);
  const weightOf = (chain: readonly number[]) => chain.reduce((sum, at) => sum + (items[at]?.weight ?? 0), 0);
  const keyOf = (chain: readonly number[]) => items[chain[0] ?? 0]?.key ?? '';
  return chains.sort((a, b) => weightOf(b) - weightOf(a) || byCodePoint(keyOf(a), keyOf(b)));
}

function clustersOf(items: readonly PackItem[], chained: ReadonlySet<number>, capacity: number): Bundle[] {
  const byAffinity = new Map<string, number[]>();
  items.forEach(({ affinity }, index) => {
    if (affinity === undefined || chained.has(index)) return;
    const members = byAffinity.get(affinity) ?? [];
    members.push(index);
    byAffinity.set(affinity, members);
  });
  const clusters: Bundle[] = [];
  for (const members of byAffinity.values()) {
    members.sort((a, b) => byCodePoint(items[a]?.key ?? '', items[b]?.key ?? ''));
    // A cluster larger than a page is cut into runs that fit.
    let run: number[] = [];
    let weight = 0;
    const close = () => {
      if (run.length > 1) clusters.push({ key: items[run[0] ?? 0]?.key ?? '', weight, members: run });
      run = [];
      weight = 0;
    };
    for (const index of members) {
      const next = items[index]?.weight ?? 0;
      if (weight + next > capacity) close();
      run.push(index);
      weight += next;
    }
    close();
  }
  return clusters;
}

function firstFit(
  items: readonly PackItem[],
  order: { chains: readonly (readonly number[])[]; bundles: readonly Bundle[]; capacity: number },
): Packing {
  const pages = new Array<number>(items.length).fill(0);
  const room = roomFinder(items.length, order.capacity);
  // Links take their places in order, so they come before anything could sit in between.
  for (const chain of order.chains) {
    for (const index of chain) {
      const { weight = 0, after } = items[index] ?? {};
      pages[index] = room.take(weight, after === undefined ? 0 : (pages[after] ?? 0));
    }
  }
  const sorted = [...order.bundles].sort((a, b) => b.weight - a.weight || byCodePoint(a.key, b.key));
  for (const { weight, members, after } of sorted) {
    const page = room.take(weight, after === undefined ? 0 : (pages[after] ?? 0));
    for (const index of members) pages[index] = page;
  }
  return { pages, count: room.used() };
}

interface RoomFinder {
  /** Takes room on the first page, from a given one on, that has enough; opens a page when none has. */
  take(weight: number, from: number): number;
  /** Takes room on this very page, if it has enough. */
  takeAt(page: number, weight: number): boolean;
  used(): number;
}

/**
 * The first page with room for a weight, in logarithmic time: a tree that knows the most room below each of its nodes.
 */
function roomFinder(most: number, capacity: number): RoomFinder {
  let leaves = 1;
  while (leaves < most) leaves *= 2;
  const room = new Float64Array(leaves * 2).fill(capacity);
  let used = 0;

  const find = (
    node: number,
    first: number,
    last: number,
    want: { weight: number; from: number },
  ): number => {
    if (last < want.from || (room[node] ?? 0) < want.weight) return -1;
    if (first === last) return first;
    const middle = (first + last) >> 1;
    const left = find(node * 2, first, middle, want);
    return left >= 0 ? left : find(node * 2 + 1, middle + 1, last, want);
  };
  const put = (page: number, weight: number): void => {
    let node = leaves + page;
    room[node] = (room[node] ?? 0) - weight;
    for (node >>= 1; node >= 1; node >>= 1)
      room[node] = Math.max(room[node * 2] ?? 0, room[node * 2 + 1] ?? 0);
    used = Math.max(used, page + 1);
  };
  return {
    take(weight, from) {
      const page = Math.max(from, find(1, 0, leaves - 1, { weight, from }));
      put(page, weight);
      return page;
    },
    takeAt(page, weight) {
      if (page < 0 || page >= leaves || (room[leaves + page] ?? 0) < weight) return false;
      put(page, weight);
      return true;
    },
    used: () => used,
  };
}
