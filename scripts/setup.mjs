// Brings a checkout to a runnable state: installs when node_modules differs from the lock file, builds when dist is stale.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Galley needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

function run(command, args) {
  const quiet = {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  };
  const result = spawnSync(command, args, quiet);
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  console.error(`set-up: "${command} ${args.join(' ')}" failed`);
  process.exit(result.status ?? 1);
}

function* files(path) {
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = join(path, entry.name);
    if (entry.isDirectory()) yield* files(full);
    else yield full;
  }
}

function digest(paths) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const path of paths) hash.update(path.slice(root.length)).update(readFileSync(path));
  return hash.digest('hex');
}

function ensure(stamp, wanted, action) {
  const file = join(root, stamp);
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) return;
  action();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, wanted);
}

const lock = digest([join(root, 'package-lock.json'), join(root, 'package.json')]);
ensure('node_modules/.galley-stamp', lock, () => {
  console.error('set-up: installing packages');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
});

const beside = ['tsup.config.ts', 'scripts/build.mjs', 'package-lock.json', 'scripts/data-licences.txt'];
const sources = [
  ...files(join(root, 'src')),
  ...files(join(root, 'web')),
  ...beside.map((name) => join(root, name)),
];
ensure('dist/.galley-stamp', digest(sources.filter((path) => !path.endsWith('.test.ts'))), () => {
  console.error('set-up: building');
  run('npm', ['run', '--silent', 'build']);
});
