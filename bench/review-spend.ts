// Promise: by default the context on the pages of real changes costs at most one and a half times their diffs; no unit is shown with
// less than its plan while its page has room; no line stands twice. Needs public repositories (GALLEY_MIRRORS).
// Usage: review-spend [commits of each] [repository …]
import { execFileSync } from 'node:child_process';
import { reviewRunRequest } from '../src/review/run/run-request.js';
import { previewReview } from '../src/review/run/run-review.js';
import { quantile, report } from './peers/report.js';
import { gitDirectory } from './quality/repositories.js';

const [count = '25', ...named] = process.argv.slice(2);
const repositories =
  named.length > 0 ? named : ['hono', 'express', 'gin', 'gson', 'flask', 'kysely', 'zod', 'trpc'];
/** Where a change holds more data than code. */
const heavy = { mode: 'pr', base: '478ec67b~12', head: '478ec67b' };

interface Spent {
  readonly diff: number;
  readonly context: number;
  readonly lowered: boolean;
  readonly repeated: number;
}

async function spentOn(repo: string, change: object): Promise<Spent> {
  const request = reviewRunRequest.parse({ repo, dryRun: true, ...change });
  return previewReview(request, { folder: '/' }, async ({ review, warnings }) => {
    let diff = 0;
    let context = 0;
    let repeated = 0;
    for (const page of review.pages) {
      for (const { id, amount } of review.seal(page).receipt.layers) {
        if (id === 'diff') diff += amount;
        if (id === 'plan' || id === 'related') context += amount;
      }
      const lines = page.context.flatMap(({ path, side, startLine, endLine }) =>
        Array.from({ length: endLine - startLine + 1 }, (_, at) => `${side}:${startLine + at}:${path}`),
      );
      repeated += lines.length - new Set(lines).size;
    }
    const lowered = warnings.some(({ code }) => code === 'CONTEXT_LEVELS_LOWERED');
    return { diff, context, lowered, repeated };
  });
}

const all: Spent[] = [];
const rows: string[] = [];
for (const name of repositories) {
  const repo = gitDirectory(name);
  if (repo === undefined) continue;
  const log = execFileSync('git', [
    '-C',
    repo,
    'log',
    '--first-parent',
    '--no-merges',
    `-n${count}`,
    '--format=%H',
  ]);
  const own: Spent[] = [];
  for (const commit of log.toString().trim().split('\n'))
    own.push(await spentOn(repo, { mode: 'commit', commit }));
  const seen = own.filter(({ diff }) => diff > 0);
  all.push(...seen);
  rows.push(`${name} ${ratio(seen).toFixed(2)} (${seen.length})`);
  console.error(rows.at(-1));
}

function ratio(spent: readonly Spent[]): number {
  const sum = (pick: 'diff' | 'context') => spent.reduce((total, each) => total + each[pick], 0);
  return sum('context') / Math.max(1, sum('diff'));
}

const each = all.map(({ diff, context }) => context / diff);
const lowered = all.filter((one) => one.lowered).length;
const repeated = all.reduce((sum, one) => sum + one.repeated, 0);
const directory = gitDirectory('kysely');
const large = directory === undefined ? undefined : await spentOn(directory, heavy);
report(
  'review-spend',
  [
    {
      promise: `context with defaults, ${all.length} changes`,
      bar: 'sum ≤ 1.5× the diffs',
      measured: `${ratio(all).toFixed(2)}×; median ${quantile(each, 0.5).toFixed(2)}, p90 ${quantile(each, 0.9).toFixed(2)}`,
      reached: ratio(all) <= 1.5,
    },
    {
      promise: 'plan kept, no line twice',
      bar: '0 changes lowered, 0 lines',
      measured: `${lowered} lowered, ${repeated} lines`,
      reached: lowered + repeated === 0,
    },
  ],
  { repositories: rows, ...(large === undefined ? {} : { kysely: large }) },
);
if (large !== undefined)
  console.log(`\nkysely, twelve commits: ${large.diff} tokens of diff, ${large.context} of context`);
