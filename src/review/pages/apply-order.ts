// Which files must be applied before which? A path has to be free before something takes it, and a copy reads its source before
// the source changes. Groups of such files come back in an order that works.
import { byCodePoint } from '../../core/model/code-points.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';

type Link = Pick<ChangeEntry, 'path' | 'oldPath' | 'status'>;

export function applyGroups(entries: readonly Link[]): string[][] {
  const edges = edgesBetween(entries);
  const near = new Map<string, Set<string>>();
  const join = (a: string, b: string) => near.set(a, (near.get(a) ?? new Set()).add(b));
  for (const [first, second] of edges) {
    join(first, second);
    join(second, first);
  }
  const seen = new Set<string>();
  const groups: string[][] = [];
  for (const start of [...near.keys()].sort(byCodePoint)) {
    if (seen.has(start)) continue;
    const group: string[] = [];
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      group.push(at);
      open.push(...(near.get(at) ?? []));
    }
    groups.push(inOrder(group, edges));
  }
  return groups;
}

function edgesBetween(entries: readonly Link[]): [string, string][] {
  const frees = new Map<string, string>();
  const freesBelow = new Map<string, string[]>();
  const copies = new Map<string, string[]>();
  for (const { path, oldPath, status } of entries) {
    const freed = status === 'deleted' ? path : status === 'renamed' ? oldPath : undefined;
    if (freed !== undefined) {
      frees.set(freed, path);
      for (const folder of above(freed)) append(freesBelow, folder, path);
    }
    if (status === 'copied' && oldPath !== undefined) append(copies, oldPath, path);
  }
  const edges: [string, string][] = [];
  const add = (first: string | undefined, second: string) => {
    if (first !== undefined && first !== second) edges.push([first, second]);
  };
  for (const { path, oldPath, status } of entries) {
    if (status === 'added' || status === 'renamed' || status === 'copied') {
      add(frees.get(path), path);
      for (const folder of above(path)) add(frees.get(folder), path);
      for (const below of freesBelow.get(path) ?? []) add(below, path);
    }
    const touched =
      status === 'renamed' ? oldPath : status === 'added' || status === 'copied' ? undefined : path;
    for (const copy of copies.get(touched ?? '') ?? []) add(copy, path);
  }
  return edges;
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function above(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Where the files wait for each other in a circle, only applying them together works; they come last, by name. */
function inOrder(group: readonly string[], edges: readonly (readonly [string, string])[]): string[] {
  const left = new Set([...group].sort(byCodePoint));
  const own = edges.filter(([first]) => left.has(first));
  const order: string[] = [];
  for (let moved = true; moved && left.size > 0; ) {
    moved = false;
    for (const path of left) {
      if (own.some(([first, second]) => second === path && left.has(first))) continue;
      left.delete(path);
      order.push(path);
      moved = true;
    }
  }
  return [...order, ...left];
}
