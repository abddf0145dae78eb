// Learns the weights of code:find on the repositories that may teach, once on all of them and once without each; those held out are
// never opened. Writes bench/results/find-weights.json; the entry `all` is what src/review/find/rank-task-files.ts holds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharpness } from '../../src/review/find/rank-task-files.js';
import { signalNames } from '../../src/review/find/task-signals.js';
import { type Choice, fitSoftmax } from './fit-softmax.js';
import { visitTasks } from './measure-task.js';
import { teaching } from './tasks.js';

const width = signalNames.length;
const rivals = 200;
const depths = [1, 5, 10];

interface Taught extends Choice {
  readonly repository: string;
  readonly gold: number;
}

const taught: Taught[] = [];
for (const repository of teaching) {
  const own: Omit<Taught, 'weight'>[] = [];
  await visitTasks(repository, ({ task, paths, signals }) => {
    const isGold = paths.map((path) => task.gold.includes(path));
    const strength = Float64Array.from(paths, (_, at) =>
      signalNames.reduce(
        (sum, name) => sum + signals[name][at]!,
        -4 * (signals.test[at]! + signals.aside[at]!),
      ),
    );
    const order = [...paths.keys()].sort((a, b) => strength[b]! - strength[a]! || a - b);
    const kept = order.filter((at, place) => place < rivals || isGold[at]);
    const hits = kept.filter((at) => isGold[at]).length;
    if (hits === 0) return;
    own.push({
      repository,
      gold: task.gold.length,
      rows: Float64Array.from(kept.flatMap((at) => signalNames.map((name) => signals[name][at]!))),
      right: Float64Array.from(kept, (at) => (isGold[at] ? 1 / hits : 0)),
    });
  });
  for (const each of own) taught.push({ ...each, weight: 1 / own.length });
  console.error(repository, own.length);
}

const results: Record<string, Record<string, number>> = {};
const recalls: number[][] = [];
for (const without of ['all', ...teaching]) {
  const weights = fitSoftmax(
    taught.filter(({ repository }) => repository !== without),
    width,
    sharpness,
  );
  results[without] = Object.fromEntries(
    signalNames.map((name, index) => [name, Number(weights[index]!.toFixed(2))]),
  );
  const own = taught.filter(({ repository }) => repository === without);
  if (own.length === 0) continue;
  const sums = depths.map(() => 0);
  for (const { rows, right, gold } of own) {
    const score = (row: number) =>
      weights.reduce((sum, weight, index) => sum + weight * rows[row * width + index]!, 0);
    const order = [...right.keys()].sort((a, b) => score(b) - score(a));
    depths.forEach((depth, k) => {
      sums[k]! += order.slice(0, depth).filter((row) => right[row]! > 0).length / gold / own.length;
    });
  }
  recalls.push(sums);
  console.log(without, sums.map((sum) => sum.toFixed(3)).join(' '));
}
mkdirSync(join('bench', 'results'), { recursive: true });
writeFileSync(join('bench', 'results', 'find-weights.json'), `${JSON.stringify(results, undefined, 1)}\n`);
const means = depths.map((_, k) => recalls.reduce((sum, row) => sum + row[k]!, 0) / recalls.length);
console.log('each without itself, recall @1 @5 @10:', means.map((mean) => mean.toFixed(3)).join(' '));
console.log(results.all);
