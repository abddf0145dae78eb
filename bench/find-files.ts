// Does code:find name the files a fix touched? Beside us plain searches over the same files. The weights were learned on the first list
// of repositories, and what is printed of those was measured with weights learned without the repository at hand; the second list was
// never learned from.
import { findWeights } from '../src/review/find/rank-task-files.js';
import { type SignalName, type Signals, signalNames } from '../src/review/find/task-signals.js';
import { measureLists, type Scores } from './find/measure-lists.js';
import { visitTasks } from './find/measure-task.js';
import { type Ranking, rankByPeers } from './find/peers.js';

const depths = [1, 5, 10];
const ours = 'code:find';
type Weights = Readonly<Record<SignalName, number>>;

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

await measureLists(
  {
    name: 'find-files',
    ...{ heading: 'file recall @', columns: depths, ours, told: ['BM25', ours] },
    ...{ learned: 'find-weights.json', weights: findWeights, measure },
  },
  process.argv[2],
);
