// Does code:find show the lines a fix touched? The whole answer counts, names and reasons too; peers spend all of the budget on lines.
// What is printed of the repositories that teach was weighed without the one at hand; the second list was never learned from.
import { setFound } from '../src/review/find/set-found.js';
import { findPieceWeights, type PieceWeights, tellingPieces } from '../src/review/find/telling-pieces.js';
import { shareSeen } from './find/gold-lines.js';
import { linePeers, type ShownLines } from './find/line-peers.js';
import { measureLists, type Scores } from './find/measure-lists.js';
import { visitPieces } from './find/measure-pieces.js';

const budgets = [1_000, 2_000, 4_000, 8_000];
const ours = 'code:find';

async function measure(repository: string, weights: PieceWeights): Promise<Scores[]> {
  const rows: Scores[] = [];
  await visitPieces(repository, async ({ task, hunks, files, question }, opened) => {
    const pieces = tellingPieces(files, question, weights);
    const found = new Map<number, readonly ShownLines[]>();
    for (const budget of budgets) {
      const set = { pieces, opened: question.opened, budget, meter: 'chars/4' };
      found.set(budget, (await setFound(files, set)).snippets);
    }
    const methods = { ...(await linePeers(opened, task)), [ours]: (budget: number) => found.get(budget)! };
    const scored = Object.entries(methods).map(([name, shown]) => [
      name,
      budgets.map((budget) => shareSeen(hunks, shown(budget))),
    ]);
    rows.push(Object.fromEntries(scored));
  });
  return rows;
}

await measureLists(
  {
    name: 'find-lines',
    ...{ heading: 'places of the fix seen, tokens', columns: budgets, ours, told: [ours] },
    ...{ learned: 'find-piece-weights.json', weights: findPieceWeights, measure },
  },
  process.argv[2],
);
