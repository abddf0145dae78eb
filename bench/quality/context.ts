// Promise: within a token budget, more of what the author had to touch is in the context than with any baseline.
// Usage: context [--ours] [--kinds prfollow,crossfile,samefile] [repository …]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PieceWeights, type RankedPiece, rankPieces } from '../../src/review/related/rank-pieces.js';
import { openRun, rankBaselines } from './baselines.js';
import { instanceCorpus } from './instance-corpus.js';
import type { Row } from './load-instances.js';
import { visitRepository } from './measure-repository.js';
import { packSnippets } from './pack-snippets.js';
import { fillContext, perSnippet, type SheetOf, scoreContext } from './score-context.js';
import { budgets, type Cell, printTables, summarise } from './tables.js';

const args = process.argv.slice(2);
const flag = args.indexOf('--kinds');
const kinds = (flag < 0 ? 'prfollow,crossfile' : args[flag + 1]!).split(',') as Row['kind'][];
const chosen = args.filter((_, index) => flag < 0 || (index !== flag && index !== flag + 1));
const only = chosen.includes('--ours');
const weightsFile = join('bench', 'results', 'quality-weights.json');
const named = chosen.filter((one) => one !== '--ours');
const repositories = named.length > 0 ? chosen : ['hono', 'trpc', 'zod', 'nitro', 'express', 'flask'];

const unseen: Record<string, PieceWeights> = existsSync(weightsFile)
  ? JSON.parse(readFileSync(weightsFile, 'utf8'))
  : {};

const cells: Cell[] = [];
for (const name of repositories) {
  const count = await visitRepository(name, kinds, async (instance, library) => {
    const run = openRun(instance, library);
    const record = (method: string, budget: number, context: Map<string, Set<number>>): void => {
      cells.push({
        repository: name,
        task: instance.task,
        method,
        budget,
        score: scoreContext(context, instance),
      });
    };
    const corpus = instanceCorpus(instance, library);
    const question = { change: { hunks: instance.hunks }, corpus, lexicon: library.lexicon };
    const ours: [string, RankedPiece[]][] = [['galley', await rankPieces(question)]];
    if (unseen[name] !== undefined)
      ours.push(['galley, repository unseen', await rankPieces(question, unseen[name])]);
    const baselines = only ? undefined : rankBaselines(run);
    for (const budget of budgets) {
      for (const [method, spans] of Object.entries(baselines ?? {})) {
        record(method, budget, fillContext([spans], [budget], instance, run.sheetOf));
      }
      if (baselines !== undefined) {
        const halves = [budget / 2, budget / 2];
        const lists = [baselines.enclosing, baselines.fused];
        record('half window + half fused', budget, fillContext(lists, halves, instance, run.sheetOf));
      }
      for (const [method, ranked] of ours) {
        const snippets = packSnippets(ranked, { tokens: budget, perSnippet, price: priceBy(run.sheetOf) });
        record(method, budget, fillContext([snippets], [budget], instance, run.sheetOf));
      }
    }
  });
  console.error(`${name}: ${count} instances`);
}
printTables(cells);
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
