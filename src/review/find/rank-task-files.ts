// Which files does a task need? Each signal has a weight, learned once on fixes and issues of public repositories; the same question
// gives the same order.
import { hashTerm } from './hash-terms.js';
import type { TaskQuestion } from './past-signals.js';
import { isMeant, type Measured, measureSignals, type SignalName, signalNames } from './task-signals.js';
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
  words: 'words',
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
  readonly files: readonly TaskFile[];
  /** Terms of the task that stand in some file, and how rare each is. */
  readonly rarity: ReadonlyMap<string, number>;
}

export function rankTaskFiles(
  question: TaskQuestion,
  { from, limit }: { readonly from: number; readonly limit: number },
): RankedFiles {
  const measured = measureSignals(question);
  const { signals } = measured;
  const { paths } = question.tree;
  const found: { at: number; sum: number }[] = [];
  for (let at = 0; at < paths.length; at += 1) {
    if (!telling.some((name) => signals[name][at]! > 0)) continue;
    found.push({
      at,
      sum: signalNames.reduce((sum, name) => sum + findWeights[name] * signals[name][at]!, 0),
    });
  }
  found.sort((a, b) => b.sum - a.sum || a.at - b.at);
  const highest = found[0]?.sum ?? 0;
  const beliefIn = (sum: number) => Math.exp(sharpness * (sum - highest));
  const all = found.reduce((total, { sum }) => total + beliefIn(sum), 0);
  const files = found.slice(from - 1, from - 1 + limit).map(({ at, sum }): TaskFile => {
    const path = paths[at]!;
    const line = question.task.places.find((named) => isMeant(named.path, path) > 0)?.line;
    return {
      path,
      score: Number((beliefIn(sum) / all).toFixed(4)),
      why: reasonsFor(at, measured, question),
      ...(line === undefined ? {} : { line }),
    };
  });
  return { found: found.length, files, rarity: measured.rarity };
}

function reasonsFor(at: number, { signals, rarity }: Measured, question: TaskQuestion): string {
  const voices = signalNames
    .map((name) => ({ name, voice: findWeights[name] * signals[name][at]! }))
    .filter(({ name, voice }) => voice > quiet && reasons[name] !== undefined)
    .sort((a, b) => b.voice - a.voice);
  const words = loudestWords(at, rarity, question);
  const told = [...new Set(voices.map(({ name }) => reasons[name]!))].slice(0, maxReasons);
  if (told.length === 0) told.push(reasons.words!);
  return told
    .map((reason) => (reason === reasons.words && words !== '' ? `${reason} ${words}` : reason))
    .join('; ');
}

const maxWords = 4;

/** The words of the task that stand in a file, as the task writes them, the most telling first. */
function loudestWords(at: number, rarity: ReadonlyMap<string, number>, { task, tree }: TaskQuestion): string {
  const file = tree.words[at];
  if (file === undefined) return '';
  const here = [...rarity.keys()].filter((term) => placeOf(file.terms, hashTerm(term)) >= 0);
  const voice = (term: string) => (task.weights.get(term) ?? 0) * (rarity.get(term) ?? 0);
  here.sort((a, b) => voice(b) - voice(a));
  return [...new Set(here.map((term) => task.written.get(term) ?? term))].slice(0, maxWords).join(', ');
}
