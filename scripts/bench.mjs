// Bundles the benchmarks and runs the named ones (all of them without a name), one after another.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const out = 'bench/results/raw';
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const [named, ...args] = process.argv.slice(2);
const files = readdirSync('bench').filter(
  (file) => file.endsWith('.ts') && (!named || file === `${named}.ts`),
);
if (files.length === 0) {
  console.error(`There is no benchmark called "${named}".`);
  process.exit(2);
}
const shell = process.platform === 'win32';
const entries = files.map((file) => `bench/${file}`);
const bundle = [
  '--no-config',
  ...entries,
  '--format',
  'esm',
  '--out-dir',
  out,
  '--target',
  'node20',
  '--silent',
  // Packages stay as they are installed: some load others in ways that a bundler cannot follow.
  ...Object.keys(devDependencies).flatMap((name) => ['--external', name]),
];
const built = spawnSync('tsup', bundle, { stdio: 'inherit', shell });
if (built.status !== 0) process.exit(built.status ?? 1);
let status = 0;
for (const file of files) {
  const script = `${out}/${file.replace(/\.ts$/, '.js')}`;
  status =
    spawnSync(process.execPath, ['--expose-gc', script, ...args], { stdio: 'inherit' }).status || status;
}
process.exit(status);
