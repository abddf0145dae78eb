// Promise: the context that review:bundles and the pages of review:run hold within a token budget has more of what the author had to
// touch than that of any baseline, counted the same way. For bundles, budgets share one opened change.
// Usage: operation [--every n] [--kinds prfollow,crossfile] [--ours] [--pages] [repository …]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { charsPerFourMeter } from '../../src/meters/plain-meters.js';
import { openReview } from '../../src/review/change/open-review.js';
import { reviewRequest } from '../../src/review/change/review-request.js';
import { contextSource } from '../../src/review/context/gather-context.js';
import { makeBundles } from '../../src/review/context/review-bundles.js';
import { plannedUnits, planReview } from '../../src/review/plan/plan-review.js';
import { reviewRunRequest } from '../../src/review/run/run-request.js';
import { previewReview } from '../../src/review/run/run-review.js';
import { openRun, rankBaselines } from './baselines.js';
import type { Instance } from './instance.js';
import { visitRepository } from './measure-repository.js';
import type { Row } from './read-rows.js';
import { gitDirectory } from './repositories.js';
import { fillContext, type SheetOf, type Span, scoreContext } from './score-context.js';
import { budgets, type Cell, printTables, summarise } from './tables.js';
import { type ScratchRepository, scratchRepository } from './visible-commit.js';

const args = process.argv.slice(2);
const option = (name: string) => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};
const every = Number(option('--every') ?? 1);
const kinds = (option('--kinds') ?? 'prfollow,crossfile').split(',') as Row['kind'][];
const only = args.includes('--ours');
/** Also sets the pages of review:run, once for every budget. */
const withPages = args.includes('--pages');
const named = args.filter((one) => !one.startsWith('--'));
const repositories = named.length > 0 ? named : ['hono', 'trpc', 'zod', 'nitro', 'express', 'flask'];

/** Snippets of the answer, best first, for each budget. */
async function answers(scratch: ScratchRepository, row: Row): Promise<Map<number, Span[]>> {
  const { folder } = scratch;
  const request = reviewRequest.parse({ repo: folder, mode: 'pr', ...scratch.sidesOf(row) });
  return openReview(request, { folder }, async (room) => {
    const { change, repository } = room;
    const { judged, plan, files } = await planReview(room);
    const units = plannedUnits({ judged, plan }).filter((unit) => !unit.row.skip_review);
    const past = change.baseCommit;
    const source = contextSource({ repository, tree: change.newTree, past });
    const gathered = { files, ...(await source.answer(units)), ...(await source.rank(files)) };
    const found = new Map<number, Span[]>();
    for (const budget of budgets) {
      const { bundles } = makeBundles(units, gathered, { meter: charsPerFourMeter, budget });
      const snippets = bundles.flatMap((bundle) => bundle.snippets).filter(({ side }) => side === 'new');
      found.set(
        budget,
        snippets.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)),
      );
    }
    return found;
  });
}

/** What really stands on the pages beside the diff, best first. */
async function sent(scratch: ScratchRepository, row: Row, context: number): Promise<Span[]> {
  const { folder } = scratch;
  const asked = {
    repo: folder,
    mode: 'pr',
    ...scratch.sidesOf(row),
    context,
    meter: 'chars/4',
    dryRun: true,
  };
  return previewReview(reviewRunRequest.parse(asked), { folder }, async ({ review }) =>
    review.pages.flatMap((page) => page.context).filter(({ side }) => side === 'new'),
  );
}

const cells: Cell[] = [];
for (const name of repositories) {
  const directory = gitDirectory(name);
  if (directory === undefined) continue;
  const scratch = scratchRepository(directory);
  let at = 0;
  try {
    await visitRepository(name, kinds, async (instance, library, row) => {
      at += 1;
      if (at % every !== 0) return;
      const run = openRun(instance, library);
      const baselines = only ? undefined : rankBaselines(run);
      const found = await answers(scratch, row);
      const record = (method: string, budget: number, lists: readonly Iterable<Span>[]) =>
        cells.push(cellOf({ instance, sheetOf: run.sheetOf, method, budget, lists }));
      for (const budget of budgets) {
        for (const [method, spans] of Object.entries(baselines ?? {})) record(method, budget, [spans]);
        if (baselines !== undefined)
          record('half window + half fused', budget, [baselines.enclosing, baselines.fused]);
        record('review:bundles', budget, [found.get(budget)!]);
        if (withPages) record('review:run', budget, [await sent(scratch, row, budget)]);
        record('review:bundles at 8k, cut by rank', budget, [found.get(8000)!]);
      }
    });
  } finally {
    scratch.close();
  }
  console.error(`${name}: ${Math.floor(at / every)} of ${at} instances`);
}
printTables(cells);
mkdirSync('bench/results', { recursive: true });
writeFileSync(
  join('bench', 'results', 'quality-operation.json'),
  `${JSON.stringify(summarise(cells), undefined, 1)}\n`,
);

interface Question {
  readonly instance: Instance;
  readonly sheetOf: SheetOf;
  readonly method: string;
  readonly budget: number;
  readonly lists: readonly Iterable<Span>[];
}

function cellOf({ instance, sheetOf, method, budget, lists }: Question): Cell {
  const shares = lists.map(() => budget / lists.length);
  const score = scoreContext(fillContext(lists, shares, instance, sheetOf), instance);
  const { id, repository, task } = instance;
  return { repository, instance: id, task, method, budget, score };
}
