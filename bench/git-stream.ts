// Promise: streaming a change of 10,000 files and a million lines costs little more than git's own time, in bounded memory.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { readChangeSet } from '../src/git/changes/read-change-set.js';
import { streamPatches } from '../src/git/patch/stream-patches.js';
import { openRepository } from '../src/git/repository/open-repository.js';
import { makeWideRepository } from './peers/wide-repository.js';

const files = Number(process.env.FILES ?? 10_000);
const rounds = Number(process.env.ROUNDS ?? 3);

async function gitAlone(folder: string): Promise<number> {
  const started = performance.now();
  const nowhere = openSync('/dev/null', 'w');
  const args = [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--full-index',
    '--diff-algorithm=histogram',
    'HEAD~1',
    'HEAD',
  ];
  const child = spawn('git', args, { cwd: folder, stdio: ['ignore', nowhere, 'ignore'] });
  await new Promise((resolve) => child.once('close', resolve));
  closeSync(nowhere);
  return performance.now() - started;
}

interface Run {
  readonly time: number;
  readonly lines: number;
  readonly bytes: number;
  readonly peak: number;
}

async function measure(folder: string): Promise<Run> {
  const started = performance.now();
  const repository = await openRepository(folder);
  let [lines, bytes] = [0, 0];
  try {
    const { entries } = await readChangeSet(repository, { mode: 'pr', base: 'HEAD~1' });
    for await (const patch of streamPatches(repository, entries)) {
      lines += patch.added + patch.removed;
      for (const hunk of patch.hunks) bytes += hunk.body.length;
    }
  } finally {
    await repository.close();
  }
  // Kilobytes, the largest the process has ever been.
  return { time: performance.now() - started, lines, bytes, peak: process.resourceUsage().maxRSS * 1024 };
}

/** In a process of its own, so that making the repository does not count. */
function ours(folder: string): Run {
  const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), folder], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as Run;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

async function main(): Promise<void> {
  const folder = makeWideRepository(files);
  try {
    const peers: number[] = [];
    const runs: Run[] = [];
    await gitAlone(folder);
    for (let round = 0; round < rounds; round += 1) {
      peers.push(await gitAlone(folder));
      runs.push(ours(folder));
    }
    const time = median(runs.map((run) => run.time));
    const peer = median(peers);
    const peak = Math.max(...runs.map((run) => run.peak));
    const result = {
      bench: 'git-stream',
      files,
      changedLines: runs[0]?.lines,
      patchBytes: runs[0]?.bytes,
      gitMs: Math.round(peer),
      galleyMs: Math.round(time),
      ratio: Number((time / peer).toFixed(2)),
      peakRssMegabytes: Math.round(peak / 1e6),
    };
    console.log(JSON.stringify(result));
    console.log('\n| files | changed lines | git diff to /dev/null | Galley, parsed | ratio | peak RSS |');
    console.log('|---|---|---|---|---|---|');
    console.log(
      `| ${files} | ${result.changedLines} | ${result.gitMs} ms | ${result.galleyMs} ms | ${result.ratio} | ${result.peakRssMegabytes} MB |`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [measured] = process.argv.slice(2);
if (measured === undefined) await main();
else console.log(JSON.stringify(await measure(measured)));
