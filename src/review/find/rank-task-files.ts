// Which files does a task need? Words in them and in their definitions, words of their path, what commits that spoke of the same
// touched, what was touched lately, and what the task names itself. The same question gives the same order.
import { byCodePoint } from '../../core/model/code-points.js';
import { isTestPath } from '../related/path-kinship.js';
import { type TaskPlace, type TaskWords, termsIn } from './task-words.js';
import { type FileWords, type ToldCommit, termId, timesIn } from './tree-words.js';

export interface TaskFile {
  readonly path: string;
  /** 0 to about 2; comparable within one answer only. */
  readonly score: number;
  readonly why: string;
  /** A line the task names in it. */
  readonly line?: number;
}

export interface TaskQuestion {
  readonly task: TaskWords;
  /** Source files by path; a file that was not read has no words. */
  readonly files: ReadonlyMap<string, FileWords | undefined>;
  readonly past: readonly ToldCommit[];
}

/** Chosen on fix commits and issues of thirteen repositories, `named` by hand; docs/benchmarks.md has the figures on others. */
const weights = { words: 0.91, defines: 0.17, path: 0.28, history: 0.28, recent: 0.22, named: 0.6 };

type Signal = keyof typeof weights;

const reasons: Readonly<Record<Signal, string>> = {
  words: 'its words',
  defines: 'defines what the task speaks of',
  path: 'its path',
  history: 'changed by commits that spoke of the same',
  recent: 'changed lately',
  named: 'named by the task',
};
/** Tests and examples show how something is used; what has to change is seldom there. */
const besideSource = 0.35;
const aside =
  /(?:^|\/)(?:examples?|samples?|benchmarks?|bench|fixtures?|docs?|vendor|third_party)\/|\.d\.ts$/i;

export function rankTaskFiles(question: TaskQuestion): TaskFile[] {
  const paths = [...question.files.keys()].sort(byCodePoint);
  const signals: Readonly<Record<Signal, Float64Array>> = {
    ...wordSignals(question, paths),
    path: pathSignal(question.task, paths),
    ...pastSignals(question, paths),
    named: Float64Array.from(paths, (path) => namedBy(question.task.places, path)),
  };
  for (const name of Object.keys(weights) as Signal[]) if (name !== 'named') toShares(signals[name]);
  const said = (at: number) =>
    signals.words[at]! + signals.path[at]! + signals.history[at]! + signals.named[at]!;
  return paths
    .flatMap((path, at): TaskFile[] => {
      if (said(at) === 0) return [];
      const voices = (Object.keys(weights) as Signal[]).map((name) => ({
        name,
        voice: weights[name] * signals[name][at]!,
      }));
      const sum = voices.reduce((total, { voice }) => total + voice, 0);
      const score = sum * (isAside(path, question.task.places) ? besideSource : 1);
      const line = question.task.places.find((place) => isMeant(place.path, path) > 0)?.line;
      const loudest = voices.toSorted((a, b) => b.voice - a.voice).filter(({ voice }) => voice > 0.08);
      return [
        {
          path,
          score: Number(score.toFixed(4)),
          why: loudest
            .slice(0, 2)
            .map(({ name }) => reasons[name])
            .join('; '),
          ...(line === undefined ? {} : { line }),
        },
      ];
    })
    .sort((a, b) => b.score - a.score || byCodePoint(a.path, b.path));
}

function isAside(path: string, places: readonly TaskPlace[]): boolean {
  return (isTestPath(path) || aside.test(path)) && namedBy(places, path) < 1;
}

const saturation = 1.2;
const lengthPull = 0.4;

/** BM25 over the words of files, and the rare words among their definitions. */
function wordSignals(
  { task, files }: TaskQuestion,
  paths: readonly string[],
): Record<'words' | 'defines', Float64Array> {
  const read = paths.map((path) => files.get(path));
  const known = read.filter((words) => words !== undefined);
  const average = known.reduce((sum, { length }) => sum + length, 0) / Math.max(1, known.length) || 1;
  const words = new Float64Array(paths.length);
  const defines = new Float64Array(paths.length);
  for (const [term, weight] of task.weights) {
    const id = termId(term);
    if (id === undefined) continue;
    const times = read.map((file) => (file === undefined ? 0 : timesIn(file, id)));
    const documents = times.filter((count) => count > 0).length;
    if (documents === 0) continue;
    const rare = Math.log(1 + (known.length - documents + 0.5) / (documents + 0.5));
    const rarity = Math.log(1 + known.length / documents);
    times.forEach((count, at) => {
      const file = read[at];
      if (file === undefined || count === 0) return;
      const pull = saturation * (1 - lengthPull + (lengthPull * file.length) / average);
      words[at]! += (weight * rare * count * (saturation + 1)) / (count + pull);
      if (file.defined.has(id)) defines[at]! += (weight * rarity) / (1 + Math.log1p(file.defined.size));
    });
  }
  return { words, defines };
}

function pathSignal({ weights: asked }: TaskWords, paths: readonly string[]): Float64Array {
  const terms = paths.map((path) => new Set(termsIn(path.replace(/\.[^./]*$/, ''))));
  const bases = paths.map((path) => new Set(termsIn((path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, ''))));
  const documents = new Map<string, number>();
  for (const set of terms) for (const term of set) documents.set(term, (documents.get(term) ?? 0) + 1);
  return Float64Array.from(paths, (_, at) => {
    let sum = 0;
    for (const term of terms[at]!) {
      const weight = asked.get(term);
      if (weight === undefined) continue;
      const rare = Math.log(1 + paths.length / (documents.get(term) ?? 1));
      sum += weight * rare * (bases[at]!.has(term) ? 2 : 1);
    }
    return sum / (1 + 0.15 * terms[at]!.size);
  });
}

const maxTouched = 20;
const lately = 400;

function pastSignals(
  { task, past }: TaskQuestion,
  paths: readonly string[],
): Record<'history' | 'recent', Float64Array> {
  const places = new Map(paths.map((path, at) => [path, at]));
  const history = new Float64Array(paths.length);
  const recent = new Float64Array(paths.length);
  const documents = new Map<string, number>();
  for (const { terms } of past)
    for (const term of terms) if (task.weights.has(term)) documents.set(term, (documents.get(term) ?? 0) + 1);
  past.forEach(({ terms, paths: touched }, age) => {
    const here = touched.flatMap((path) => places.get(path) ?? []);
    if (here.length === 0 || touched.length > maxTouched) return;
    let said = 0;
    for (const [term, weight] of task.weights)
      if (terms.has(term)) said += weight * Math.log(1 + past.length / (documents.get(term) ?? 1)) ** 2;
    const likeness = said / ((1 + 0.1 * terms.size) * Math.sqrt(touched.length));
    for (const at of here) {
      history[at]! += likeness ** 1.5;
      if (age < lately) recent[at]! += 1 / (1 + age / 50) / touched.length;
    }
  });
  return { history, recent };
}

/** 0 to 1: how surely the task names this very file. */
function namedBy(places: readonly TaskPlace[], path: string): number {
  return places.reduce((most, place) => Math.max(most, isMeant(place.path, path)), 0);
}

const tellingName = 6;

function isMeant(named: string, path: string): number {
  if (named === path || named.endsWith(`/${path}`)) return 1;
  if (!path.endsWith(`/${named}`)) return 0;
  if (named.includes('/')) return 2 / 3;
  return named.length > tellingName ? 1 / 3 : 0;
}

function toShares(values: Float64Array): void {
  const most = values.reduce((highest, value) => Math.max(highest, value), 0);
  if (most === 0) return;
  for (let at = 0; at < values.length; at += 1) values[at]! /= most;
}
