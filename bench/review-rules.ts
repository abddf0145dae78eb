// Promise: a rule that speaks is right. Tags of units of real commits against what the rules say about them. The labels were
// filled in by the rules and then corrected by one reader, so recall is flattered; rules were adjusted on the `tuned` sample.
// Needs copies of the repositories; GALLEY_REPOSITORIES names the folder that holds them as owner+name/repo.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangeSet } from '../src/git/changes/read-change-set.js';
import { openRepository } from '../src/git/repository/open-repository.js';
import { planUnits } from '../src/review/plan/plan-review.js';
import { compactLines } from '../src/review/units/changed-lines.js';

interface Label {
  readonly repo: string;
  readonly commit: string;
  readonly path: string;
  readonly added: string | null;
  readonly removed: string | null;
  readonly tags: readonly string[];
  readonly sample: 'tuned' | 'fresh';
}

const root = process.env.GALLEY_REPOSITORIES ?? '../.mirror';
const labels = readFileSync('test/rules/labels.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Label);
const counts = new Map<string, { right: number; wrong: number; missed: number }>();
const missing = new Set<string>();
const checked = { tuned: 0, fresh: 0 };
let milliseconds = 0;

for (const [repo, ofRepo] of grouped(labels, ({ repo }) => repo)) {
  const folder = join(root, repo.replace('/', '+'), 'repo');
  if (!existsSync(folder)) {
    console.error(`${repo} is not in ${root}; its ${ofRepo.length} labels are left out.`);
    continue;
  }
  const repository = await openRepository(folder);
  for (const [commit, ofCommit] of grouped(ofRepo, (label) => label.commit)) {
    const change = await readChangeSet(repository, { mode: 'commit', commit });
    const paths = new Set(ofCommit.map(({ path }) => path));
    const start = performance.now();
    const { judged } = await planUnits(repository, change, {
      entries: change.entries.filter(({ path }) => paths.has(path)),
    });
    milliseconds += performance.now() - start;
    for (const label of ofCommit) {
      const found = judged.find(
        ({ unit }) =>
          unit.path === label.path &&
          compactLines(unit.added) === label.added &&
          compactLines(unit.removed) === label.removed,
      );
      if (found === undefined) missing.add(`${commit} ${label.path}`);
      else compare(label, found.verdict.tags);
    }
  }
  await repository.close();
}

function compare({ tags: gold, sample }: Label, said: readonly string[]): void {
  checked[sample] += 1;
  for (const tag of new Set([...gold, ...said])) {
    const key = !said.includes(tag) ? 'missed' : gold.includes(tag) ? 'right' : 'wrong';
    for (const column of ['all', sample] as const) {
      const name = `${column} ${tag}`;
      const count = counts.get(name) ?? { right: 0, wrong: 0, missed: 0 };
      counts.set(name, { ...count, [key]: count[key] + 1 });
    }
  }
}

const share = (part: number, rest: number) =>
  part + rest === 0 ? null : Number((part / (part + rest)).toFixed(3));
const none = { right: 0, wrong: 0, missed: 0 };
const tags = [...counts.keys()].filter((name) => name.startsWith('all ')).map((name) => name.slice(4));
const rows = tags
  .map((tag) => {
    const all = counts.get(`all ${tag}`) ?? none;
    const fresh = counts.get(`fresh ${tag}`) ?? none;
    return {
      tag,
      said: all.right + all.wrong,
      precision: share(all.right, all.wrong),
      recall: share(all.right, all.missed),
      freshSaid: fresh.right + fresh.wrong,
      freshPrecision: share(fresh.right, fresh.wrong),
      freshRecall: share(fresh.right, fresh.missed),
    };
  })
  .sort((a, b) => b.said - a.said);
const total = checked.tuned + checked.fresh;
console.log(
  `${checked.tuned} tuned and ${checked.fresh} fresh units, ${missing.size} labels without a unit, ${(milliseconds / Math.max(1, total)).toFixed(1)} ms each\n`,
);
console.log(
  '| tag | said | precision | recall | fresh: said | precision | recall |\n|---|---|---|---|---|---|---|',
);
for (const row of rows) console.log(`| ${Object.values(row).join(' | ')} |`);
writeFileSync(
  'bench/results/review-rules.json',
  `${JSON.stringify({ checked, missing: missing.size, rows }, undefined, 1)}\n`,
);

function grouped(list: readonly Label[], key: (label: Label) => string): Map<string, Label[]> {
  const groups = new Map<string, Label[]>();
  for (const label of list) groups.set(key(label), [...(groups.get(key(label)) ?? []), label]);
  return groups;
}
