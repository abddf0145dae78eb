// Promise: a review holds a few pages whatever its size. Heap in use while pages are under way, for a small and a large change,
// with a fifth of the calls failing; the peer keeps every page, as a review that maps over its pages would.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GalleyError } from '../src/core/model/error.js';
import type { Model, ModelRequest } from '../src/models/contract/model.js';
import { reviewRunRequest } from '../src/review/run/run-request.js';
import { runReview } from '../src/review/run/run-review.js';

const sizes = (process.env.PAGES ?? '100,200,400').split(',').map(Number);
const linesPerPage = 1200;

interface Row {
  readonly pages: number;
  readonly calls: number;
  readonly reviewed: number;
  readonly failed: number;
  readonly peakMegabytes: number;
  readonly holdingMegabytes: number;
}

function makeRepository(pages: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-bench-'));
  const settings = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', [...settings, ...args], { cwd: folder, stdio: 'ignore' });
  git('init', '-q', '-b', 'main', '.');
  git('commit', '-q', '--allow-empty', '-m', 'before');
  mkdirSync(join(folder, 'src'));
  for (let page = 1; page <= pages; page += 1) {
    const lines = Array.from(
      { length: linesPerPage },
      (_, line) => `  const value${line} = compute(${page}, ${line}, 'some forty bytes of code');\n`,
    );
    writeFileSync(join(folder, 'src', `file-${page}.ts`), lines.join(''));
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'after');
  return folder;
}

async function measure(folder: string, hold: boolean): Promise<Omit<Row, 'pages' | 'holdingMegabytes'>> {
  let [calls, peak] = [0, 0];
  const held: ModelRequest[] = [];
  const model: Model = {
    id: `bench/${hold ? 'holding' : 'plain'}`,
    family: 'replay',
    async run(request) {
      calls += 1;
      const call = calls;
      if (hold) held.push(request);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (call % 10 === 0) {
        globalThis.gc?.();
        peak = Math.max(peak, process.memoryUsage().heapUsed);
      }
      if (call % 5 === 0) throw new GalleyError('MODEL_UNAVAILABLE', 'The model is away.');
      return { text: '{"findings":[]}', finish: 'stop' };
    },
  };
  const request = reviewRunRequest.parse({
    mode: 'commit',
    commit: 'HEAD',
    concurrency: 8,
    maxChunkTokens: 32_000,
    meter: 'cjk-estimate',
    fresh: true,
  });
  const result = await runReview(request, {
    folder,
    signal: new AbortController().signal,
    model: async () => model,
  });
  if (result.dryRun) throw new TypeError('not a dry run');
  const count = (status: string) => result.pages.filter((page) => page.status === status).length;
  return { calls, reviewed: count('reviewed'), failed: count('failed'), peakMegabytes: peak / 2 ** 20 };
}

if (globalThis.gc === undefined)
  console.log('Without --expose-gc the numbers hold garbage: NODE_OPTIONS=--expose-gc');
const rows: Row[] = [];
for (const pages of sizes) {
  const folder = makeRepository(pages);
  try {
    const plain = await measure(folder, false);
    const holding = await measure(folder, true);
    rows.push({ pages, ...plain, holdingMegabytes: holding.peakMegabytes });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const [first, last] = [rows[0]!, rows.at(-1)!];
const growth = {
  pages: last.pages / first.pages,
  heap: last.peakMegabytes / first.peakMegabytes,
  holdingHeap: last.holdingMegabytes / first.holdingMegabytes,
};
console.log(JSON.stringify({ bench: 'review-run', rows, growth }));
console.log('\n| pages | calls | reviewed | failed | heap, MB | heap when every page is held, MB |');
console.log('|---|---|---|---|---|---|');
for (const row of rows)
  console.log(
    `| ${row.pages} | ${row.calls} | ${row.reviewed} | ${row.failed} | ${row.peakMegabytes.toFixed(0)} | ${row.holdingMegabytes.toFixed(0)} |`,
  );
