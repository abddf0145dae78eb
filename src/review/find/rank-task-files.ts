// Which files does a task need? Each signal has a weight, learned once on fixes and issues of public repositories; the same question
// gives the same order.
import { splitIdentifier } from '../related/lexicon.js';
import { hashTerm } from './hash-terms.js';
import type { TaskQuestion } from './past-signals.js';
import { isMeant, type Measured, measureSignals, type SignalName, signalNames } from './task-signals.js';
import { termsOf } from './task-words.js';
import { placeOf } from './tree-words.js';

export interface TaskFile {
  readonly path: string;
  /** The share of belief in this file; those of all files together are 1. */
  readonly score: number;
  readonly why: string;
  /** A line the task names in it. */
  readonly line?: number;
}

/** Learned by bench/find/learn.ts; docs/benchmarks.md has the figures on repositories it has not seen. */
export const findWeights: Readonly<Record<SignalName, number>> = {
  words: 0.47,
  flat: 0.29,
  whole: 0.31,
  defines: 0.19,
  path: 0.27,
  spoken: 0.4,
  recent: 0.22,
  named: 0.4,
  tested: 0.12,
  length: 0.21,
  linked: 0.07,
  together: 0.13,
  test: -0.85,
  aside: -0.59,
};

/** How sharply belief follows the sum of the signals; the weights were learned with it. */
export const sharpness = 5;

const reasons: Partial<Record<SignalName, string>> = {
  words: 'similar words',
  whole: 'identifiers',
  defines: 'defines what the task speaks of',
  path: 'its path',
  spoken: 'commits that spoke of the same',
  recent: 'changed lately',
  named: 'named by the task',
  tested: 'its tests',
  linked: 'defines what such files use',
  together: 'changed with such files',
};
/** Without one of these nothing speaks for a file. */
const telling: readonly SignalName[] = ['words', 'path', 'spoken', 'named'];
const quiet = 0.05;
const maxReasons = 3;

export interface RankedFiles {
  /** How many files anything speaks for. */
  readonly found: number;
  /** Those that were asked for, most likely first. */
  readonly files: readonly Omit<TaskFile, 'why'>[];
  /** What speaks for a file in which these names of the task stand. */
  why(path: string, standing: ReadonlySet<string>): string;
  /** Terms of the task that stand in some file, and how rare each is. */
  readonly rarity: ReadonlyMap<string, number>;
}

interface RankOptions {
  readonly from: number;
  readonly limit: number;
  /** Only files at or below these paths. */
  readonly within?: readonly string[] | undefined;
}

export function rankTaskFiles(question: TaskQuestion, { from, limit, within }: RankOptions): RankedFiles {
  const measured = measureSignals(question);
  const { signals } = measured;
  const { paths } = question.tree;
  const found: { at: number; sum: number }[] = [];
  for (let at = 0; at < paths.length; at += 1) {
    if (!telling.some((name) => signals[name][at]! > 0)) continue;
    if (within !== undefined && !within.some((above) => isAtOrBelow(paths[at]!, above))) continue;
    let sum = 0;
    for (const name of signalNames) sum += findWeights[name] * signals[name][at]!;
    found.push({ at, sum });
  }
  found.sort((a, b) => b.sum - a.sum || a.at - b.at);
  const highest = found[0]?.sum ?? 0;
  const beliefIn = (sum: number) => Math.exp(sharpness * (sum - highest));
  const all = found.reduce((total, { sum }) => total + beliefIn(sum), 0);
  const files = found.slice(from - 1, from - 1 + limit).map(({ at, sum }) => {
    const path = paths[at]!;
    const line = question.task.places.find((named) => isMeant(named.path, path) > 0)?.line;
    return {
      path,
      score: Number((beliefIn(sum) / all).toFixed(4)),
      ...(line === undefined ? {} : { line }),
    };
  });
  return {
    found: found.length,
    files,
    why: (path, standing) =>
      reasonsFor({ at: question.tree.places.get(path)!, standing }, measured, question),
    rarity: measured.rarity,
  };
}

export function isAtOrBelow(path: string, above: string): boolean {
  const folder = above.replace(/^(?:\.\/)+|\/+$/g, '');
  return folder === '.' || folder === '' || path === folder || path.startsWith(`${folder}/`);
}

interface ToldFile {
  readonly at: number;
  readonly standing: ReadonlySet<string>;
}

function reasonsFor(file: ToldFile, { signals, rarity }: Measured, question: TaskQuestion): string {
  const voices = signalNames
    .map((name) => ({ name, voice: findWeights[name] * signals[name][file.at]! }))
    .filter(({ name, voice }) => voice > 0 && reasons[name] !== undefined)
    .sort((a, b) => b.voice - a.voice);
  const words = loudestWords(file, rarity, question);
  const told = voices
    .filter(({ voice }, place) => voice > quiet || place === 0)
    .map(({ name }) => (name === 'words' && words !== '' ? words : reasons[name]!));
  return told.slice(0, maxReasons).join('; ');
}

const maxWords = 4;

/**
 * The words of the task that stand in a file, as the task writes them, the most telling first. A name of several parts is said where
 * the whole of it stands, and else the part that does.
 */
function loudestWords(
  { at, standing }: ToldFile,
  rarity: ReadonlyMap<string, number>,
  { task, tree }: TaskQuestion,
): string {
  const file = tree.words[at];
  if (file === undefined) return '';
  const here = [...rarity.keys()].filter((term) => placeOf(file.terms, hashTerm(term)) >= 0);
  const voice = (term: string) => (task.weights.get(term) ?? 0) * (rarity.get(term) ?? 0);
  here.sort((a, b) => voice(b) - voice(a));
  const words = new Set<string>();
  let part = '';
  for (const term of here) {
    const names = [...standing].filter((name) => termsOf(name).includes(term));
    for (const name of names) words.add(name);
    const word = task.written.get(term) ?? term;
    const pieces = splitIdentifier(word, 1);
    const piece = pieces.find((each) => termsOf(each).includes(term));
    if (pieces.length < 2) words.add(word);
    else if (part === '' && piece !== undefined) part = `part of ${word}: ${piece}`;
  }
  return words.size === 0 ? part : `words ${[...words].slice(0, maxWords).join(', ')}`;
}
