// Runs every guard in order and closes with one line: N passed, M failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'galley-check-'));
const report = join(scratch, 'vitest.json');
const guards = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types', 'tsc', ['--noEmit']],
  ['directions', 'node', ['scripts/directions.mjs']],
  ['dead code', 'knip', []],
  ['package shape', 'node', ['scripts/package-shape.mjs']],
  ['tests', 'vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]],
];

let passed = 0;
let failed = 0;
for (const [name, command, args] of guards) {
  const started = process.hrtime.bigint();
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
  console.log(`${result.status === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${seconds.toFixed(1)} s`);
  if (name !== 'tests') {
    if (result.status === 0) passed += 1;
    else failed += 1;
    continue;
  }
  try {
    const summary = JSON.parse(readFileSync(report, 'utf8'));
    passed += summary.numPassedTests;
    failed += summary.numFailedTests + summary.testResults.filter(brokenFile).length;
    if (summary.numTotalTests === 0) failed += 1;
  } catch {
    failed += 1;
  }
  if (result.status !== 0 && failed === 0) failed += 1;
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A file that failed without a failing test of its own: it did not load, or a hook threw. */
function brokenFile({ status, assertionResults }) {
  return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
}
