// Promise: help and version come at once, in at most twice the time of a Node that does nothing.
import { spawnSync } from 'node:child_process';
import { quantile, report } from './peers/report.js';

const rounds = Number(process.argv[2] ?? 41);
const bin = 'bin/galley.js';
const runs: Readonly<Record<string, readonly string[]>> = {
  nothing: ['-e', '0'],
  help: [bin, '--help'],
  chinese: [bin, '--lang', 'zh', '--help'],
  version: [bin, '--version'],
  command: [bin, 'review', '--help'],
};

const env = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C' };
const times: Record<string, number[]> = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
for (let round = 0; round <= rounds; round += 1) {
  // Interleaved, so that a busy moment meets all of them; the first round warms the disk's cache.
  for (const [name, args] of Object.entries(runs)) {
    const start = process.hrtime.bigint();
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore', env });
    const spent = Number(process.hrtime.bigint() - start) / 1e6;
    if (status !== 0) {
      console.error(`"${name}" ended with ${status}; build first: npm run build`);
      process.exit(2);
    }
    if (round > 0) times[name]?.push(spent);
  }
}

const median = (name: string) => quantile(times[name] ?? [], 0.5);
const fastest = (name: string) => Math.min(...(times[name] ?? []));
const row = (name: string, promise: string) => {
  const ratio = median(name) / median('nothing');
  const best = fastest(name) / fastest('nothing');
  return {
    promise,
    bar: 'at most 2× of node -e 0',
    measured: `${ratio.toFixed(2)}× (${median(name).toFixed(0)} ms against ${median('nothing').toFixed(0)} ms; fastest runs ${best.toFixed(2)}×)`,
    reached: ratio <= 2,
  };
};

report(
  'cold-start',
  [
    row('help', 'galley --help'),
    row('version', 'galley --version'),
    row('chinese', 'galley --lang zh --help'),
    row('command', 'galley review --help'),
  ],
  { rounds },
);
