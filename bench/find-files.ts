// Does code:find name the files a fix touched? Beside us plain searches over the same files. The weights were learned on the first list
// of repositories, and what is printed of those was measured with weights learned without the repository at hand; the second list was
// never learned from.
import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { findWeights } from '../src/review/find/rank-task-files.js';
import { type SignalName, type Signals, signalNames } from '../src/review/find/task-signals.js';
import { visitTasks } from './find/measure-task.js';
import { type Ranking, rankByPeers } from './find/peers.js';
import { mean, printLeads, type Scores } from './find/print-leads.js';
import { heldOut, teaching } from './find/tasks.js';

const depths = [1, 5, 10];
const ours = 'code:find';
type Weights = Readonly<Record<SignalName, number>>;

const learned = JSON.parse(
  readFileSync(['bench', 'results', 'find-weights.json'].join(sep), 'utf8'),
) as Record<string, Weights>;

function rank(paths: readonly string[], signals: Signals, weights: Weights): Ranking {
  const sums = paths.map((_, at) =>
    signalNames.reduce((sum, name) => sum + weights[name] * signals[name][at]!, 0),
  );
  const order = [...paths.keys()].sort((a, b) => sums[b]! - sums[a]! || a - b);
  return order.slice(0, 10).map((at) => paths[at]!);
}

const recall = (ranking: Ranking, gold: readonly string[]) =>
  depths.map((depth) => gold.filter((path) => ranking.slice(0, depth).includes(path)).length / gold.length);

async function measure(repository: string, weights: Weights): Promise<Scores[]> {
  const rows: Scores[] = [];
  await visitTasks(repository, async ({ task, paths, signals }, opened) => {
    const rankings = { ...(await rankByPeers(opened, task)), [ours]: rank(paths, signals, weights) };
    const scored = Object.entries(rankings).map(([name, list]) => [name, recall(list, task.gold)]);
    rows.push(Object.fromEntries(scored));
  });
  return rows;
}

const lists = { 'each without itself': teaching, 'never learned from': heldOut } as const;
const only = process.argv[2];
for (const [title, repositories] of Object.entries(lists)) {
  if (only !== undefined && !title.startsWith(only)) continue;
  const measured: Scores[][] = [];
  for (const repository of repositories) {
    const rows = await measure(repository, repositories === teaching ? learned[repository]! : findWeights);
    if (rows.length === 0) continue;
    measured.push(rows);
    const cells = ['BM25', ours].map((name) =>
      depths.map((_, k) => mean(rows.map((row) => row[name]![k]!)).toFixed(2)).join('/'),
    );
    console.error(`${repository}: BM25 ${cells[0]}, ${ours} ${cells[1]}`);
  }
  if (measured.length === 0)
    console.log(
      `find-files: no copies of repositories found (${title}); name their folder in GALLEY_MIRRORS.`,
    );
  else printLeads({ title, heading: 'file recall @', columns: depths, ours }, measured);
}
