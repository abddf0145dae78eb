// First-fit decreasing over pages of one size. Items that belong together travel together wherever that costs no page.
import { byCodePoint } from '../model/code-point-order.js';

export interface PackItem {
  readonly key: string;
  readonly weight: number;
  readonly affinity?: string;
}

/** A page number for every item, in the order given. No item may weigh more than the capacity. */
export function packPages(items: readonly PackItem[], capacity: number): { pages: number[]; count: number } {
  const single = items.map((item, index) => ({ key: item.key, weight: item.weight, members: [index] }));
  const plain = firstFit(single, items.length, capacity);
  const clusters = clustersOf(items, capacity);
  if (clusters.length === 0) return plain;

  // Dissolving the heaviest clusters first leads back to the plain packing; find how few must go.
  clusters.sort((a, b) => b.weight - a.weight || byCodePoint(a.key, b.key));
  const attempt = (dissolved: number) => {
    const together = clusters.slice(dissolved);
    const held = new Set(together.flatMap((cluster) => cluster.members));
    return firstFit([...together, ...single.filter((_, index) => !held.has(index))], items.length, capacity);
  };
  let low = 0;
  let high = clusters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (attempt(middle).count <= plain.count) high = middle;
    else low = middle + 1;
  }
  const best = attempt(low);
  return best.count <= plain.count ? best : plain;
}

interface Bundle {
  readonly key: string;
  readonly weight: number;
  readonly members: readonly number[];
}

function clustersOf(items: readonly PackItem[], capacity: number): Bundle[] {
  const byAffinity = new Map<string, number[]>();
  items.forEach(({ affinity }, index) => {
    if (affinity === undefined) return;
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
  bundles: readonly Bundle[],
  size: number,
  capacity: number,
): { pages: number[]; count: number } {
  const pages = new Array<number>(size).fill(0);
  const room: number[] = [];
  const order = [...bundles].sort((a, b) => b.weight - a.weight || byCodePoint(a.key, b.key));
  for (const { weight, members } of order) {
    let page = room.findIndex((left) => left >= weight);
    if (page < 0) page = room.push(capacity) - 1;
    room[page] = (room[page] ?? 0) - weight;
    for (const index of members) pages[index] = page;
  }
  return { pages, count: room.length };
}
