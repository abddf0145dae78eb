// What the past says of each file: what commits spoke of when they touched it, how lately, and what changed with it.
import { endsOf, type FindTree, severalEnd } from './find-tree.js';
import { hashTerm } from './hash-terms.js';
import type { TaskWords } from './task-words.js';
import type { ToldCommit } from './told-commits.js';
import { placeOf } from './tree-words.js';

export interface TaskQuestion {
  readonly task: TaskWords;
  readonly tree: FindTree;
  readonly past: readonly ToldCommit[];
}

const lately = 400;
const fading = 50;
const saturation = 1.2;
const lengthPull = 0.6;

export function pastSignals({ task, tree, past }: TaskQuestion): Record<'spoken' | 'recent', Float64Array> {
  const { touched, lengths, recent } = pastOf(tree, past);
  /** How often each term was said of a file. */
  const profiles = new Map<number, Map<number, number>>();
  const weights = new Map([...task.weights].map(([term, weight]) => [hashTerm(term), weight]));
  const asked = [...weights.keys()];
  past.forEach(({ terms, paths }, age) => {
    const here = touched[age]!;
    if (here.length === 0) return;
    const said = asked.filter((term) => placeOf(terms, term) >= 0);
    if (said.length === 0) return;
    const share = 1 / Math.sqrt(paths.length);
    for (const at of here) {
      const profile = profiles.get(at) ?? new Map<number, number>();
      profiles.set(at, profile);
      for (const term of said) profile.set(term, (profile.get(term) ?? 0) + share);
    }
  });
  return { spoken: spokenSignal({ profiles, lengths, weights }), recent: recent.slice() };
}

/** What no question changes. */
interface PastOfTree {
  readonly past: readonly ToldCommit[];
  /** For each commit its files of today: those it touched, and those among them that have not moved since. */
  readonly touched: readonly (readonly number[])[];
  readonly unmoved: readonly (readonly number[])[];
  /** How much was said of a file in all, and how lately it changed. */
  readonly lengths: Float64Array;
  readonly recent: Float64Array;
}

const known = new WeakMap<FindTree, PastOfTree>();

function pastOf(tree: FindTree, past: readonly ToldCommit[]): PastOfTree {
  const before = known.get(tree);
  if (before?.past === past) return before;
  const size = tree.paths.length;
  const placesOf = touchedPlaces(tree);
  const made = {
    past,
    touched: past.map(({ paths }) => placesOf(paths)),
    unmoved: past.map(({ paths }) => paths.flatMap((path) => tree.places.get(path) ?? [])),
    lengths: new Float64Array(size),
    recent: new Float64Array(size),
  };
  past.forEach(({ terms, paths }, age) => {
    for (const at of made.touched[age]!) {
      if (age < lately) made.recent[at]! += 1 / (1 + age / fading) / paths.length;
      made.lengths[at]! += terms.length / Math.sqrt(paths.length);
    }
  });
  known.set(tree, made);
  return made;
}

interface Spoken {
  readonly profiles: ReadonlyMap<number, ReadonlyMap<number, number>>;
  readonly lengths: Float64Array;
  readonly weights: ReadonlyMap<number, number>;
}

/** BM25 over what was said of each file. */
function spokenSignal({ profiles, lengths, weights }: Spoken): Float64Array {
  const spoken = new Float64Array(lengths.length);
  const holding = new Map<number, number>();
  for (const profile of profiles.values())
    for (const term of profile.keys()) holding.set(term, (holding.get(term) ?? 0) + 1);
  const told = lengths.filter((length) => length > 0);
  const average = told.reduce((sum, length) => sum + length, 0) / Math.max(1, told.length) || 1;
  for (const [at, profile] of profiles) {
    const pull = saturation * (1 - lengthPull + (lengthPull * lengths[at]!) / average);
    for (const [term, count] of profile) {
      const files = holding.get(term) ?? 1;
      const rare = Math.log(1 + (told.length - files + 0.5) / (files + 0.5));
      spoken[at]! += ((weights.get(term) ?? 0) * rare * count * (saturation + 1)) / (count + pull);
    }
  }
  return spoken;
}

const halfLife = 500;

/** What changed with the leaders: small commits say more, late ones too. */
export function togetherSignal(
  leaders: ReadonlyMap<number, number>,
  { tree, past }: TaskQuestion,
): Float64Array {
  const together = new Float64Array(tree.paths.length);
  const { unmoved } = pastOf(tree, past);
  past.forEach(({ paths }, age) => {
    if (paths.length < 2) return;
    const here = unmoved[age]!;
    let sum = 0;
    for (const at of here) sum += leaders.get(at) ?? 0;
    if (sum === 0) return;
    const weight = 2 ** (-age / halfLife) / Math.log2(1 + paths.length);
    for (const at of here) together[at]! += (sum - (leaders.get(at) ?? 0)) * weight;
  });
  return together;
}

/** The files of today that a commit touched; one that has moved since is known by how its path ends. */
function touchedPlaces({ places, ends }: FindTree): (touched: readonly string[]) => number[] {
  const known = new Map<string, readonly number[]>();
  const moved = (path: string): readonly number[] => {
    const end = endsOf(path).find((each) => ends.has(each));
    const at = end === undefined ? severalEnd : (ends.get(end) ?? severalEnd);
    return at === severalEnd ? [] : [at];
  };
  return (touched) =>
    touched.flatMap((path) => {
      const at = places.get(path);
      if (at !== undefined) return at;
      const found = known.get(path) ?? moved(path);
      known.set(path, found);
      return found;
    });
}
