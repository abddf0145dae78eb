// The directions between rooms, and the proof that the check can fail: a planted violation, and too few modules seen.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

const minimumModules = 60;

function cruise() {
  const result = spawnSync(
    'depcruise',
    ['src', '--config', '.dependency-cruiser.mjs', '--output-type', 'json'],
    {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      shell: process.platform === 'win32',
    },
  );
  const { summary, modules } = JSON.parse(result.stdout);
  const own = modules.filter((module) => /^src\/.*\.ts$/.test(module.source));
  return { violations: summary.violations, modules: own.length };
}

const { violations, modules } = cruise();
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} -> ${to}`);
if (modules < minimumModules)
  console.error(`directions: only ${modules} modules seen, expected ${minimumModules} or more`);

const planted = 'src/core/planted-violation';
mkdirSync(planted, { recursive: true });
let caught = [];
try {
  writeFileSync(
    `${planted}/impure.ts`,
    "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n",
  );
  caught = cruise().violations.filter(({ from }) => from.startsWith(planted));
} finally {
  rmSync(planted, { recursive: true, force: true });
}
if (caught.length === 0) console.error('directions: the planted violation was not seen');

const fine = violations.length === 0 && modules >= minimumModules && caught.length > 0;
if (fine) console.log(`directions: ${modules} modules, no violation; the planted one was caught`);
process.exit(fine ? 0 : 1);
