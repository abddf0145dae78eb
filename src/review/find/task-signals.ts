// What speaks for each file of a tree, before any is opened. A signal is a share of the strongest file's, 0 to 1.
import { type FindTree, manyDefine } from './find-tree.js';
import { hashTerm } from './hash-terms.js';
import { pastSignals, type TaskQuestion, togetherSignal } from './past-signals.js';
import type { TaskPlace, TaskWords } from './task-words.js';
import { placeOf } from './tree-words.js';

export const signalNames = [
  'words',
  'flat',
  'whole',
  'defines',
  'path',
  'spoken',
  'recent',
  'named',
  'tested',
  'length',
  'linked',
  'together',
  'test',
  'aside',
] as const;

export type SignalName = (typeof signalNames)[number];
export type Signals = Readonly<Record<SignalName, Float64Array>>;

export interface Measured {
  readonly signals: Signals;
  /** Terms of the task that stand in some file, and how rare each is. */
  readonly rarity: ReadonlyMap<string, number>;
}

export function measureSignals(question: TaskQuestion): Measured {
  const { task, tree } = question;
  const { paths } = tree;
  const rarity = new Map<string, number>();
  const words = wordSignals(task, tree, rarity);
  const measure = (valueAt: (at: number) => number) => {
    const values = new Float64Array(paths.length);
    for (let at = 0; at < values.length; at += 1) values[at] = valueAt(at);
    return values;
  };
  const named = measure((at) => (task.places.length === 0 ? 0 : namedBy(task.places, paths[at]!)));
  const isMeant = (at: number) => named[at] === 1;
  const signals = {
    ...words,
    path: pathSignal(task, tree),
    ...pastSignals(question),
    named,
    tested: testSignal(words.words, tree),
    length: measure((at) => Math.log1p(tree.words[at]?.length ?? 0)),
    test: measure((at) => Number(tree.isTest[at]! && !isMeant(at))),
    aside: measure((at) => Number(tree.isAside[at]! && !isMeant(at))),
    linked: new Float64Array(paths.length),
    together: new Float64Array(paths.length),
  };
  for (const name of signalNames) if (name !== 'named') toShares(signals[name]);
  const leaders = leadersOf(signals);
  const found = {
    ...signals,
    linked: linkSignal(leaders, tree),
    together: togetherSignal(leaders, question),
  };
  toShares(found.linked);
  toShares(found.together);
  return { signals: found, rarity };
}

const saturation = 1.2;
const lengthPull = 0.4;
const plainPull = 0.75;

type WordSignal = 'words' | 'flat' | 'whole' | 'defines';

/** BM25 over the words of files; beside it whole identifiers, and the rare words among definitions. */
function wordSignals(
  { weights }: TaskWords,
  { words, paths }: FindTree,
  rarities: Map<string, number>,
): Record<WordSignal, Float64Array> {
  const known = words.filter((file) => file !== undefined);
  const average = known.reduce((sum, { length }) => sum + length, 0) / Math.max(1, known.length) || 1;
  const make = () => new Float64Array(paths.length);
  const out = { words: make(), flat: make(), whole: make(), defines: make() };
  const places = new Int32Array(paths.length);
  for (const [term, weight] of weights) {
    const id = hashTerm(term);
    let documents = 0;
    for (let at = 0; at < words.length; at += 1) {
      const file = words[at];
      const place = file === undefined ? -1 : placeOf(file.terms, id);
      places[at] = place;
      if (place >= 0) documents += 1;
    }
    if (documents === 0) continue;
    const rare = Math.log(1 + (known.length - documents + 0.5) / (documents + 0.5));
    const rarity = Math.log(1 + known.length / documents);
    rarities.set(term, rarity);
    const isWhole = term.startsWith('=');
    for (let at = 0; at < words.length; at += 1) {
      const file = words[at];
      if (file === undefined || places[at]! < 0) continue;
      const count = file.times[places[at]!]!;
      const long = file.length / average;
      const voice = (weight * rare * count) / (count + saturation * (1 - lengthPull + lengthPull * long));
      out.words[at]! += voice;
      out.flat[at]! += (rare * count) / (count + saturation * (1 - plainPull + plainPull * long));
      if (isWhole) out.whole[at]! += voice;
      if (placeOf(file.defined, id) >= 0)
        out.defines[at]! += (weight * rarity) / (1 + Math.log1p(file.defined.length));
    }
  }
  return out;
}

const longPath = 0.15;

function pathSignal({ weights }: TaskWords, { paths, pathTerms, pathsWith }: FindTree): Float64Array {
  const signal = new Float64Array(paths.length);
  for (const [term, weight] of weights) {
    const id = hashTerm(term);
    const places = pathsWith.get(id) ?? [];
    const rarity = Math.log(1 + paths.length / places.length);
    for (const at of places) {
      const terms = pathTerms[at]!;
      signal[at]! += (weight * (terms.get(id) ?? 0) * rarity) / (1 + longPath * terms.size);
    }
  }
  return signal;
}

/** What a test speaks of is in the file of its name. */
function testSignal(words: Float64Array, { stems, isTest }: FindTree): Float64Array {
  const best = new Map<string, number>();
  stems.forEach((stem, at) => {
    if (isTest[at]) best.set(stem, Math.max(best.get(stem) ?? 0, words[at]!));
  });
  return Float64Array.from(stems, (stem, at) => (isTest[at] ? 0 : (best.get(stem) ?? 0)));
}

const maxLeaders = 8;

/** The files that most speaks for at first sight, and how much. */
function leadersOf(signals: Signals): ReadonlyMap<number, number> {
  const strength = Float64Array.from(signals.words, (words, at) =>
    signals.test[at]! + signals.aside[at]! > 0
      ? 0
      : words + 0.5 * signals.path[at]! + 0.5 * signals.spoken[at]! + signals.named[at]!,
  );
  const order = [...strength.keys()].filter((at) => strength[at]! > 0);
  order.sort((a, b) => strength[b]! - strength[a]! || a - b);
  return new Map(order.slice(0, maxLeaders).map((at) => [at, strength[at]!]));
}

/** Files that define what the leaders use. */
function linkSignal(leaders: ReadonlyMap<number, number>, { words, definers }: FindTree): Float64Array {
  const linked = new Float64Array(words.length);
  for (const [leader, strength] of leaders)
    for (const term of words[leader]?.terms ?? []) {
      const at = definers.get(term);
      if (at !== undefined && at !== manyDefine && at !== leader) linked[at]! += strength;
    }
  return linked.map((value, at) => Math.log1p(value) / (1 + Math.log1p(words[at]?.defined.length ?? 0)));
}

/** 0 to 1: how surely the task names this very file. */
function namedBy(places: readonly TaskPlace[], path: string): number {
  return places.reduce((most, place) => Math.max(most, isMeant(place.path, path)), 0);
}

const tellingName = 6;
const installed =
  /(?:^|\/)(?:site-packages|dist-packages|node_modules)\/(?!.*\/(?:site-packages|node_modules)\/)(.+)$/;

export function isMeant(named: string, path: string): number {
  // An installed package is this repository only where its whole path is found here.
  const inside = installed.exec(named)?.[1];
  if (inside !== undefined) return path === inside || path.endsWith(`/${inside}`) ? 1 : 0;
  if (named === path || named.endsWith(`/${path}`)) return 1;
  if (!path.endsWith(`/${named}`)) return 0;
  if (named.includes('/')) return 2 / 3;
  return named.length > tellingName ? 1 / 3 : 0;
}

function toShares(values: Float64Array): void {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  if (most === 0) return;
  for (let at = 0; at < values.length; at += 1) values[at]! /= most;
}
