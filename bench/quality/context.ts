// Promise: within a token budget, more of what the author had to touch is in the context than with any baseline, on repositories the
// weights were not learned from: every repository is ranked with the weights that learn.ts made without it.
// Usage: context [--kinds prfollow,crossfile] [repository …]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PieceWeights, rankPieces } from '../../src/review/related/rank-pieces.js';
import { openRun, rankBaselines } from './baselines.js';
import { instanceCorpus } from './instance-corpus.js';
import { visitRepository } from './measure-repository.js';
import { packSnippets } from './pack-snippets.js';
import { drawnRepositories, givenRepositories, heldOutRepositories } from './protocol.js';
import type { QuestionKind } from './read-rows.js';
import { fillContext, perSnippet, type SheetOf, scoreContext } from './score-context.js';
import { budgets, type Cell, printLeads, printTables, summarise } from './tables.js';

const args = process.argv.slice(2);
const flag = args.indexOf('--kinds');
const kinds = (flag < 0 ? 'prfollow,crossfile' : args.splice(flag, 2)[1]!).split(',') as QuestionKind[];
const weightsFile = join('bench', 'results', 'quality-weights.json');
const unseen = JSON.parse(readFileSync(weightsFile, 'utf8')) as Record<string, PieceWeights>;

const cells: Cell[] = [];
for (const kind of kinds) {
  const given: readonly string[] = kind === 'samefile' ? [] : givenRepositories[kind];
  const all = kind === 'prfollow' ? [...given, ...drawnRepositories] : given;
  for (const name of args.length > 0 ? args : all) {
    const count = await visitRepository(name, [kind], async (instance, library) => {
      const run = openRun(instance, library);
      const origin = heldOutRepositories.includes(name) ? 'held out' : 'drawn';
      const task = given.includes(name) ? instance.task : `${instance.task}, ${origin}`;
      const record = (method: string, budget: number, context: Map<string, Set<number>>): void => {
        const score = scoreContext(context, instance);
        cells.push({ repository: name, instance: instance.id, task, method, budget, score });
      };
      const corpus = instanceCorpus(instance, library);
      const question = { change: { hunks: instance.hunks }, corpus, lexicon: library.lexicon };
      // Weights of a repository that took no part are those of all that did.
      const ranked = await rankPieces(question, unseen[name] ?? unseen.all);
      const baselines = rankBaselines(run);
      for (const budget of budgets) {
        for (const [method, spans] of Object.entries(baselines))
          record(method, budget, fillContext([spans], [budget], instance, run.sheetOf));
        const halves = [budget / 2, budget / 2];
        const lists = [baselines.enclosing, baselines.fused];
        record('half window + half fused', budget, fillContext(lists, halves, instance, run.sheetOf));
        const snippets = packSnippets(ranked, { tokens: budget, perSnippet, price: priceBy(run.sheetOf) });
        record('galley', budget, fillContext([snippets], [budget], instance, run.sheetOf));
      }
    });
    console.error(`${kind} ${name}: ${count}`);
  }
}
printTables(cells);
printLeads(cells, 'galley');
const results = join('bench', 'results');
mkdirSync(results, { recursive: true });
writeFileSync(
  join(results, `quality-context-${kinds.join('-')}.json`),
  `${JSON.stringify(summarise(cells), undefined, 1)}\n`,
);

function priceBy(sheetOf: SheetOf) {
  return ({ path, startLine, endLine }: { path: string; startLine: number; endLine: number }): number => {
    const sheet = sheetOf(path)!;
    let size = 0;
    for (let line = startLine; line <= endLine; line += 1) size += sheet.lineSizes[line - 1]!;
    return Math.ceil(size / 4);
  };
}
