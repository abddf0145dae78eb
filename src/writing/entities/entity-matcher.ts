// Who is named in this text? A dictionary of names in one automaton: each code point is read once, the longest name wins,
// left to right; names in spaced scripts match whole words only, short Chinese ones not inside other words.

import type { NamedEntity } from './entity.js';
import { foldCodePoint, isSpacedLetter } from './fold.js';
import { isChineseName } from './name-borders.js';

const maxNameLength = 100;

export interface EntityMatch {
  readonly entityId: string;
  /** Code points, half-open. */
  readonly start: number;
  readonly end: number;
  readonly surface: string;
}

export interface EntityMatcher {
  /** In text order; entities that share a name give one match each, in the order given. */
  find(text: string): readonly EntityMatch[];
}

interface State {
  readonly next: Map<string, State>;
  readonly depth: number;
  ids: string[];
  wordStart: boolean;
  wordEnd: boolean;
  fail: State | undefined;
  /** The nearest state on the fail chain that ends a name. */
  shorter: State | undefined;
}

export function createEntityMatcher(entities: readonly NamedEntity[]): EntityMatcher {
  const root = newState(0);
  for (const entity of entities) {
    for (const name of [entity.name, ...(entity.aliases ?? [])]) addName(root, entity.id, name);
  }
  linkStates(root);
  return { find: (text) => findNames(root, [...text]) };
}

function newState(depth: number): State {
  return {
    next: new Map(),
    depth,
    ids: [],
    wordStart: false,
    wordEnd: false,
    fail: undefined,
    shorter: undefined,
  };
}

function addName(root: State, id: string, name: string): void {
  const points = [...name.normalize('NFC').trim()].map(foldCodePoint);
  if (points.length === 0 || points.length > maxNameLength) return;
  let state = root;
  for (const point of points) {
    let next = state.next.get(point);
    if (next === undefined) {
      next = newState(state.depth + 1);
      state.next.set(point, next);
    }
    state = next;
  }
  if (!state.ids.includes(id)) state.ids.push(id);
  state.wordStart = isSpacedLetter(points[0]);
  state.wordEnd = isSpacedLetter(points.at(-1));
}

function linkStates(root: State): void {
  const queue: State[] = [root];
  for (let head = 0; head < queue.length; head += 1) {
    const state = queue[head]!;
    for (const [point, child] of state.next) {
      let fallback = state.fail;
      while (fallback !== undefined && !fallback.next.has(point)) fallback = fallback.fail;
      child.fail = fallback?.next.get(point) ?? root;
      child.shorter = child.fail.ids.length > 0 ? child.fail : child.fail.shorter;
      queue.push(child);
    }
  }
}

function findNames(root: State, points: readonly string[]): readonly EntityMatch[] {
  const longest = new Map<number, State>();
  let state = root;
  for (let index = 0; index < points.length; index += 1) {
    const point = foldCodePoint(points[index]!);
    while (state !== root && !state.next.has(point)) state = state.fail!;
    state = state.next.get(point) ?? root;
    let ending = state.ids.length > 0 ? state : state.shorter;
    for (; ending !== undefined; ending = ending.shorter) {
      const start = index + 1 - ending.depth;
      const cutsWord =
        (ending.wordStart && isSpacedLetter(points[start - 1])) ||
        (ending.wordEnd && isSpacedLetter(points[index + 1]));
      // Ends come in rising order, so a later entry for one start is the longer name.
      if (!cutsWord && isChineseName(points, start, index + 1)) longest.set(start, ending);
    }
  }
  const matches: EntityMatch[] = [];
  let free = 0;
  for (const start of [...longest.keys()].sort((left, right) => left - right)) {
    if (start < free) continue;
    const { ids, depth } = longest.get(start)!;
    free = start + depth;
    const surface = points.slice(start, free).join('');
    for (const entityId of ids) matches.push({ entityId, start, end: free, surface });
  }
  return matches;
}
