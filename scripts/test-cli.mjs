// The opt-in tier: installs the real agent CLIs and MCP clients into a cache folder, and runs the adapters and servers with them.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(tmpdir(), 'galley-real-cli');
mkdirSync(folder, { recursive: true });
copyFileSync('test/real-cli/package.json', join(folder, 'package.json'));
const shell = process.platform === 'win32';
const run = (command, args, options) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell, ...options });
  if (status !== 0) process.exit(status ?? 1);
};
// Some say they want a newer Node and run on this one all the same; our own strictness would be handed down to them.
run('npm', ['install', '--engine-strict=false', '--no-audit', '--no-fund', '--loglevel=error'], {
  cwd: folder,
});
// One file at a time: each looks for processes that were left behind.
run('vitest', ['run', '--no-file-parallelism', 'test/real-cli'], {
  env: { ...process.env, GALLEY_REAL_CLI: folder },
});
