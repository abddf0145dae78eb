// Runs every guard, two at a time, then the tests, and closes with one line: N passed, M failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'galley-check-'));
const report = join(scratch, 'vitest.json');
const buildInfo = 'node_modules/.cache/galley/types.tsbuildinfo';
// The longest first, so that the two that run side by side end together.
const guards = [
  ['types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', buildInfo]],
  ['types of the page', 'tsc', ['--noEmit', '-p', 'web']],
  ['package shape', 'node', ['scripts/package-shape.mjs']],
  ['directions', 'node', ['scripts/directions.mjs']],
  ['dead code', 'knip', []],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
];
const tests = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];

let passed = 0;
let failed = 0;

/** Says nothing before its end unless it may speak at once. */
async function run(name, command, args, speaksAtOnce = false) {
  const started = process.hrtime.bigint();
  const output = speaksAtOnce ? 'inherit' : 'pipe';
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => said.push(part));
  const status = await new Promise((done) => {
    child.once('error', () => done(1)).once('close', done);
  });
  process.stdout.write(Buffer.concat(said));
  const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${seconds.toFixed(1)} s`);
  return status === 0;
}

async function runInTurn() {
  for (let next = guards.shift(); next !== undefined; next = guards.shift()) {
    if (await run(...next)) passed += 1;
    else failed += 1;
  }
}

await Promise.all([runInTurn(), runInTurn()]);
const held = await run('tests', 'vitest', tests, true);
try {
  const summary = JSON.parse(readFileSync(report, 'utf8'));
  passed += summary.numPassedTests;
  failed += summary.numFailedTests + summary.testResults.filter(brokenFile).length;
  if (summary.numTotalTests === 0) failed += 1;
} catch {
  failed += 1;
}
if (!held && failed === 0) failed += 1;
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A file that failed without a failing test of its own: it did not load, or a hook threw. */
function brokenFile({ status, assertionResults }) {
  return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
}
