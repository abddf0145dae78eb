// Promise: from one changed file, more of the files that changed with it are among the first ten than by identifier rarity.
// Usage: related-files [--learn] [repository …]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from '../../src/review/related/path-kinship.js';
import {
  type FileWeights,
  fileSignalNames,
  fileWeights,
  type MeasuredFile,
  measureFiles,
} from '../../src/review/related/rank-files.js';
import { fitLogistic, type Sample } from './fit-logistic.js';
import { type RelatedInstance, visitRelated } from './related-instances.js';
import { gitDirectory } from './repositories.js';

const first = 10;
const commits = 120;
const negatives = 200;
const development = ['gofr', 'ollama', 'svelte', 'cline', 'hono', 'trpc', 'zod', 'nitro', 'express', 'flask'];
const args = process.argv.slice(2).filter((one) => one !== '--learn');
const repositories = (args.length > 0 ? args : development).filter(
  (name) => gitDirectory(name) !== undefined,
);

interface Answer {
  readonly repository: string;
  readonly others: readonly string[];
  readonly files: readonly MeasuredFile[];
  readonly baselines: Readonly<Record<string, number>>;
}

const answers: Answer[] = [];
for (const repository of repositories) {
  const started = Date.now();
  await visitRelated(gitDirectory(repository)!, commits, async (instance) => {
    const files = await measureFiles({
      paths: [instance.seed],
      corpus: instance.corpus,
      lexicon: instance.lexicon,
    });
    const baselines: Record<string, number> = {};
    for (const [name, scores] of Object.entries(await baselineScores(instance))) {
      baselines[name] = recall(
        [...scores].filter(([path]) => path !== instance.seed),
        instance.others,
      );
    }
    // Only the files with a voice are kept: the rest of a large tree has nothing but its folder.
    answers.push({ repository, others: instance.others, files, baselines });
  });
  console.error(repository, Date.now() - started);
}

const rows: Record<string, string | number>[] = [];
const learned: Record<string, FileWeights> = {};
for (const without of ['all', ...repositories])
  learned[without] = learn(answers.filter((one) => one.repository !== without));
for (const repository of repositories) {
  const mine = answers.filter((one) => one.repository === repository);
  const row: Record<string, string | number> = { repository, commits: mine.length };
  for (const name of Object.keys(mine[0]!.baselines))
    row[name] = percent(mine.map((one) => one.baselines[name]!));
  row.galley = percent(mine.map((one) => recall(score(one.files, fileWeights), one.others)));
  row['galley, repository unseen'] = percent(
    mine.map((one) => recall(score(one.files, learned[repository]!), one.others)),
  );
  rows.push(row);
}
const heads = Object.keys(rows[0]!);
console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => '---').join('|')}|`);
for (const row of rows) console.log(`| ${heads.map((head) => row[head]).join(' | ')} |`);
if (process.argv.includes('--learn')) console.log(JSON.stringify(learned.all, undefined, 1));
mkdirSync(join('bench', 'results'), { recursive: true });
writeFileSync(
  join('bench', 'results', 'quality-related-files.json'),
  `${JSON.stringify(rows, undefined, 1)}\n`,
);

function score(files: readonly MeasuredFile[], weights: FileWeights): [string, number][] {
  return files.map(({ path, signals }) => {
    let sum = 0;
    for (const name of fileSignalNames) sum += weights[name] * signals[name];
    return [path, sum];
  });
}

function recall(scores: readonly (readonly [string, number])[], others: readonly string[]): number {
  const top = new Set(
    scores
      .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, first)
      .map(([path]) => path),
  );
  return others.filter((path) => top.has(path)).length / others.length;
}

function percent(values: readonly number[]): number {
  return Number(((100 * values.reduce((sum, value) => sum + value, 0)) / values.length).toFixed(1));
}

async function baselineScores(instance: RelatedInstance): Promise<Record<string, Map<string, number>>> {
  const { corpus, lexicon, seed } = instance;
  const sheet = (await corpus.sheets([seed])).get(seed);
  const words = [...new Set(sheet?.words ?? [])]
    .map((id) => lexicon.words[id]!)
    .filter((word) => word.length > 2);
  const found = await corpus.grep(words);
  const paths = await corpus.paths();
  const rarity = new Map<string, number>();
  const raw = new Map<string, number>();
  for (const files of found.values()) {
    const rare = Math.log(paths.length / Math.max(1, files.size));
    for (const [path, times] of files) {
      rarity.set(path, (rarity.get(path) ?? 0) + rare);
      raw.set(path, (raw.get(path) ?? 0) + times);
    }
  }
  const folder = new Map(paths.map((path) => [path, Number(folderOf(path) === folderOf(seed))]));
  return { 'identifier rarity': rarity, 'raw count': raw, 'same folder': folder };
}

function learn(from: readonly Answer[]): FileWeights {
  const sizes = new Map<string, number>();
  for (const answer of from) sizes.set(answer.repository, (sizes.get(answer.repository) ?? 0) + 1);
  const samples: Sample[] = [];
  for (const { repository, others, files } of from) {
    const wanted = new Set(others);
    const misses = files.length - others.length;
    const stride = Math.max(1, misses / negatives);
    let seen = 0;
    for (const { path, signals } of files) {
      const hit = wanted.has(path);
      if (!hit) {
        const before = Math.floor(seen / stride);
        seen += 1;
        if (Math.floor(seen / stride) === before) continue;
      }
      const row = Float64Array.from(fileSignalNames, (name) => signals[name]);
      samples.push({ row, hit, weight: (100 * (hit ? 1 : stride)) / others.length / sizes.get(repository)! });
    }
  }
  const { weights } = fitLogistic(samples, fileSignalNames.length);
  return Object.fromEntries(
    fileSignalNames.map((name, index) => [name, Number(weights[index]!.toFixed(2))]),
  ) as FileWeights;
}
