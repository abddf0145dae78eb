// Does code:find show the lines a fix touched? The whole answer counts, names and reasons too; peers spend all of the budget on lines.
// What is printed of the repositories that teach was weighed without the one at hand; the second list was never learned from.
import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { setFound } from '../src/review/find/set-found.js';
import { findPieceWeights, type PieceWeights, tellingPieces } from '../src/review/find/telling-pieces.js';
import { shareSeen } from './find/gold-lines.js';
import { linePeers, type ShownLines } from './find/line-peers.js';
import { visitPieces } from './find/measure-pieces.js';
import { mean, printLeads, type Scores } from './find/print-leads.js';
import { heldOut, teaching } from './find/tasks.js';

const budgets = [1_000, 2_000, 4_000, 8_000];
const ours = 'code:find';

const learned = JSON.parse(
  readFileSync(['bench', 'results', 'find-piece-weights.json'].join(sep), 'utf8'),
) as Record<string, PieceWeights>;

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

const lists = { 'each without itself': teaching, 'never learned from': heldOut } as const;
const only = process.argv[2];
for (const [title, repositories] of Object.entries(lists)) {
  if (only !== undefined && !title.startsWith(only)) continue;
  const measured: Scores[][] = [];
  for (const repository of repositories) {
    const weights = repositories === teaching ? learned[repository] : findPieceWeights;
    const rows = await measure(repository, weights ?? findPieceWeights);
    if (rows.length === 0) continue;
    measured.push(rows);
    const cells = budgets.map((_, k) => mean(rows.map((row) => row[ours]![k]!)).toFixed(2)).join('/');
    console.error(`${repository}: ${rows.length} tasks, ${cells}`);
  }
  if (measured.length === 0)
    console.log(
      `find-lines: no copies of repositories found (${title}); name their folder in GALLEY_MIRRORS.`,
    );
  else printLeads({ title, heading: 'places of the fix seen, tokens', columns: budgets, ours }, measured);
}
