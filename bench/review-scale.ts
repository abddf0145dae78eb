// Promise: ten thousand files with a million changed lines become finished pages on disk within 3 times git's own diff with the
// estimating meter and 8 times with the tokenizer, below 400 MB, in time that grows with the size and no faster.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { reviewRequest } from '../src/review/change/review-request.js';
import { withPages } from '../src/review/pages/page-set.js';
import { writePages } from '../src/surfaces/cli/review/review-out.js';
import { makeWideRepository } from './peers/wide-repository.js';

const sizes = (process.env.FILES ?? '1000,10000').split(',').map(Number);
const meters = ['cjk-estimate', 'o200k_base'];
const rounds = Number(process.env.ROUNDS ?? 3);

/** Wall time, and processor time with all children: the second stands even when the machine is busy. */
function timed(command: string, cwd: string): { wall: number; processor: number; output: string } {
  const script = `TIMEFORMAT='%R %U %S'; time ${command}`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  const numbers = /([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(stderr);
  if (numbers === null) throw new Error(stderr);
  const [wall = 0, user = 0, system = 0] = numbers.slice(1).map((text) => Number(text) * 1000);
  return { wall, processor: user + system, output: stdout };
}

function gitAlone(folder: string): { wall: number; processor: number } {
  return timed(
    'git diff --no-color --no-ext-diff --diff-algorithm=histogram HEAD~1 HEAD > /dev/null',
    folder,
  );
}

interface Measured {
  readonly time: number;
  readonly processor: number;
  readonly pages: number;
  readonly lines: number;
  readonly peak: number;
}

/** In a process of its own, so that the peak is that of the work. */
function ours(folder: string, meter: string, out: string): Measured {
  const self = process.argv[1] ?? '';
  const command = `"${process.execPath}" "${self}" child "${folder}" ${meter} "${out}"`;
  const { output, processor } = timed(command, folder);
  return { ...(JSON.parse(output) as Measured), processor };
}

async function child(folder: string, meter: string, out: string): Promise<void> {
  const started = performance.now();
  const request = reviewRequest.parse({ repo: folder, mode: 'commit', meter });
  const result = await withPages({ ...request, redact: true }, { folder }, async (set) => {
    await writePages(set, out);
    const { onPages } = set.receipt().accounting;
    return { pages: set.total, lines: onPages.added + onPages.removed };
  });
  const time = performance.now() - started;
  process.stdout.write(JSON.stringify({ time, ...result, peak: process.resourceUsage().maxRSS / 1024 }));
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function main(): Promise<void> {
  const rows: object[] = [];
  // Nothing is removed before the end: where files were just removed, some file systems make new ones slowly.
  const pages = mkdtempSync(join(tmpdir(), 'galley-pages-'));
  const folders = [pages];
  console.log(
    '| files | changed lines | meter | git diff | Galley to pages on disk | ratio | ratio of processor time | pages | peak RSS |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  try {
    for (const files of sizes) {
      const folder = makeWideRepository(files);
      folders.push(folder);
      for (const meter of meters) {
        const peers: { wall: number; processor: number }[] = [];
        const runs: Measured[] = [];
        for (let round = 0; round < rounds; round += 1) {
          peers.push(gitAlone(folder));
          runs.push(ours(folder, meter, join(pages, `${files}-${meter}-${round}`)));
        }
        const git = median(peers.map(({ wall }) => wall));
        const gitProcessor = median(peers.map(({ processor }) => processor));
        const processor = median(runs.map((run) => run.processor));
        const time = median(runs.map((run) => run.time));
        const row = {
          files,
          lines: runs[0]?.lines,
          meter,
          gitMs: Math.round(git),
          galleyMs: Math.round(time),
          ratio: Number((time / git).toFixed(2)),
          processorRatio: Number((processor / gitProcessor).toFixed(2)),
          pages: runs[0]?.pages,
          peakMegabytes: Math.round(Math.max(...runs.map((run) => run.peak))),
        };
        rows.push(row);
        console.log(
          `| ${files} | ${row.lines} | ${meter} | ${row.gitMs} ms | ${row.galleyMs} ms | ${row.ratio} | ${row.processorRatio} | ${row.pages} | ${row.peakMegabytes} MB |`,
        );
      }
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
  console.log(JSON.stringify({ bench: 'review-scale', rows }));
}

if (process.argv[2] === 'child') {
  const [folder = '', meter = '', out = ''] = process.argv.slice(3);
  await child(folder, meter, out);
} else await main();
