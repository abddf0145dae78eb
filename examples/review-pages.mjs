// A change in a git repository as pages for a reviewer model; what was left out, and why.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGalley } from 'galley';

const repo = mkdtempSync(join(tmpdir(), 'galley-example-'));
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: repo });
const galley = createGalley({ folder: repo, store: ':memory:' });
try {
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'login.ts'), 'export function login(name: string) {\n  return name;\n}\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(
    join(repo, 'login.ts'),
    'export function login(name: string, key: string) {\n  return check(name, key);\n}\n',
  );
  writeFileSync(join(repo, 'yarn.lock'), 'x@1:\n  version "1"\n');

  const { chunks, omitted, coverage } = await galley.call('review:chunks', { repo: '.', mode: 'working' });
  for (const { index, total, tokens, files } of chunks)
    console.log(`page ${index}/${total}: ${tokens} tokens, ${files.join(', ')}`);
  console.log(coverage);
  assert.deepEqual(
    chunks.flatMap(({ files }) => files),
    ['login.ts'],
  );
  assert.deepEqual(
    omitted.map(({ path, reason }) => [path, reason]),
    [['yarn.lock', 'lockfile']],
  );

  const { plan } = await galley.call('review:plan', { repo: '.', mode: 'working' });
  for (const unit of plan) console.log(`${unit.unit_id}: ${unit.final_context_level} (${unit.reason})`);
} finally {
  await galley.close();
  rmSync(repo, { recursive: true, force: true });
}
