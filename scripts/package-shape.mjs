// Packs the package once, lets the shape checkers read the tarball users would get, installs it into an empty project and runs
// every example there.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'galley-pack-'));
const shell = process.platform === 'win32';
const run = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], shell, ...options }).status ?? 1;
const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };

function runExamples(tarball) {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const packages = [tarball, `ai@${devDependencies.ai}`];
  const flags = ['--no-audit', '--no-fund', '--silent', '--prefer-offline'];
  if (run('npm', ['install', ...flags, ...packages], { ...quiet, cwd: project }) !== 0) return 1;
  for (const name of readdirSync('examples').filter((file) => file.endsWith('.mjs'))) {
    copyFileSync(join('examples', name), join(project, name));
    const status = run('node', [name], { ...quiet, cwd: project });
    if (status !== 0) console.error(`package shape: example ${name} ended with ${status}`);
    if (status !== 0) return status;
  }
  if (checkTypes(project) !== 0) return 1;
  return run('npx', ['--no-install', 'galley', '--version'], { ...quiet, cwd: project });
}

/** As in a strict project that also checks the types of its libraries: they must not lead to types it does not have. */
function checkTypes(project) {
  const doors = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).exports).filter((door) =>
    /^\.(?:\/[a-z-]+)?$/.test(door),
  );
  const imports = doors.map((door, index) => `import * as door${index} from 'galley${door.slice(1)}';`);
  const uses = doors.map((_, index) => `void door${index};`);
  writeFileSync(join(project, 'types.ts'), `${[...imports, ...uses].join('\n')}\n`);
  const flags = ['--noEmit', '--strict', '--target', 'es2023', '--types', 'node', '--skipLibCheck', 'false'];
  const typeRoots = ['--typeRoots', join(process.cwd(), 'node_modules', '@types')];
  return ['nodenext', 'bundler'].some((moduleResolution) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
    const how = ['--moduleResolution', moduleResolution, '--module', module];
    return run('tsc', [...flags, ...typeRoots, ...how, 'types.ts'], { cwd: project }) !== 0;
  })
    ? 1
    : 0;
}

let status = run('npm', ['pack', '--silent', '--pack-destination', folder], quiet);
if (status === 0) {
  const tarball = join(folder, readdirSync(folder)[0]);
  status =
    run('publint', [tarball, '--strict']) ||
    run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-summary', '--quiet']) ||
    runExamples(tarball);
}
rmSync(folder, { recursive: true, force: true });
process.exit(status);
