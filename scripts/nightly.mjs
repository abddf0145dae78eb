// The tests with every sweep at full size, and how many cases each sweep ran.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'galley-nightly-'));
const figures = join(scratch, 'figures.jsonl');
// Words on the command line choose test files, as they do for vitest.
const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
  env: { ...process.env, GALLEY_NIGHTLY: figures },
});
const counts = new Map();
for (const line of existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : []) {
  const { name, count } = JSON.parse(line);
  counts.set(name, (counts.get(name) ?? 0) + count);
}
rmSync(scratch, { recursive: true, force: true });
for (const [name, count] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
  console.log(`${String(count).padStart(9)}  ${name}`);
console.log(`${counts.size} sweeps at full size: ${status === 0 ? 'all held' : 'FAILED'}`);
process.exit(status === 0 && counts.size > 0 ? 0 : 1);
