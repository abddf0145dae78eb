// Packs the package once and lets the shape checkers read the tarball users would get.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'galley-pack-'));
const shell = process.platform === 'win32';
const run = (command, args) =>
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], shell }).status ?? 1;
const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
  stdio: ['ignore', 'ignore', 'inherit'],
  shell,
});
let status = packed.status ?? 1;
if (status === 0) {
  const tarball = join(folder, readdirSync(folder)[0]);
  status =
    run('publint', [tarball, '--strict']) ||
    run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-summary', '--quiet']);
}
rmSync(folder, { recursive: true, force: true });
process.exit(status);
