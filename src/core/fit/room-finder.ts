// The first page with room for a weight, in logarithmic time: a tree that knows the most room below each of its nodes.

export interface RoomFinder {
  /** Takes room on the first page, from a given one on, that has enough; opens a page when none has. */
  take(weight: number, from: number): number;
  /** Takes room on this very page, if it has enough. */
  takeAt(page: number, weight: number): boolean;
  used(): number;
}

export function roomFinder(most: number, capacity: number): RoomFinder {
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
