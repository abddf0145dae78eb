// The directions between rooms and folders, and the proof that the check can fail: planted violations, and too few modules seen.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';

const minimumModules = 60;

const rules = resolve('.dependency-cruiser.mjs');

function cruise(cwd = '.') {
  const result = spawnSync('depcruise', ['src', '--config', rules, '--output-type', 'json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const { summary, modules } = JSON.parse(result.stdout);
  const own = modules.filter((module) => /^src\/.*\.ts$/.test(module.source));
  return { violations: summary.violations, modules: own.length, pairs: pairsIn(own) };
}

/** Folders that import each other, with one file of either direction; what only tests load is left out. */
function pairsIn(modules) {
  const isProduct = (path) => /^src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/testing\//.test(path);
  const edges = new Map();
  for (const { source, dependencies } of modules.filter((module) => isProduct(module.source)))
    for (const { resolved } of dependencies) {
      const [from, to] = [posix.dirname(source), posix.dirname(resolved)];
      if (from !== to && isProduct(resolved)) edges.set(`${from} -> ${to}`, `${source} -> ${resolved}`);
    }
  return [...edges.keys()].flatMap((edge) => {
    const [from, to] = edge.split(' -> ');
    const back = edges.get(`${to} -> ${from}`);
    return from < to && back !== undefined
      ? [{ pair: `${from} <-> ${to}`, files: [edges.get(edge), back] }]
      : [];
  });
}

const { violations, modules, pairs } = cruise();
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} -> ${to}`);
for (const { pair, files } of pairs)
  console.error(`folders-have-one-direction: ${pair} (${files.join(', ')})`);
if (modules < minimumModules)
  console.error(`directions: only ${modules} modules seen, expected ${minimumModules} or more`);

// In a project of their own under the same rules: other guards read this one at the same time.
const elsewhere = mkdtempSync(join(tmpdir(), 'galley-directions-'));
const planted = 'src/core/planted-violation';
const plants = {
  'impure.ts': "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n",
  // No two files are in a circle here, only their folders.
  'here/first.ts': "import { second } from '../there/second.js';\nexport const first = second;\n",
  'there/second.ts': 'export const second = 2;\n',
  'there/third.ts': "import { fourth } from '../here/fourth.js';\nexport const third = fourth;\n",
  'here/fourth.ts': 'export const fourth = 4;\n',
};
const caught = { impure: false, mutual: false };
try {
  for (const [path, text] of Object.entries(plants)) {
    const file = join(elsewhere, planted, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  copyFileSync('tsconfig.json', join(elsewhere, 'tsconfig.json'));
  const seen = cruise(elsewhere);
  caught.impure = seen.violations.some(({ from }) => from === `${planted}/impure.ts`);
  caught.mutual = seen.pairs.some(({ pair }) => pair === `${planted}/here <-> ${planted}/there`);
} finally {
  rmSync(elsewhere, { recursive: true, force: true });
}
if (!caught.impure) console.error('directions: the planted violation was not seen');
if (!caught.mutual) console.error('directions: the planted pair of folders was not seen');

const clean = violations.length === 0 && pairs.length === 0;
const fine = clean && modules >= minimumModules && caught.impure && caught.mutual;
if (fine) console.log(`directions: ${modules} modules, no violation; the planted ones were caught`);
process.exit(fine ? 0 : 1);
