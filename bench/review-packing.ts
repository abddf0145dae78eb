// Promise: pages are as few as packing allows (at most 0.5 % above a bound that knows the items), and files that belong together
// share a page more often than in path order or by size alone.
// Repositories are bare git folders: named as arguments, or hono and trpc in GALLEY_MIRRORS.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { packPages } from '../src/core/fit/pack-pages.js';
import { reviewRequest } from '../src/review/change/review-request.js';
import { withPages } from '../src/review/pages/page-set.js';
import { readNamed } from './quality/git-reader.js';
import { mirrorRoot } from './quality/repositories.js';

const usual = ['honojs+hono', 'trpc+trpc'].map((name) => join(mirrorRoot, name, 'repo'));
const named = process.argv.slice(2).filter((argument) => existsSync(argument));
const repositories = named.length > 0 ? named : usual.filter((folder) => existsSync(folder));
const wanted = Number(process.env.COMMITS ?? 60);
const limits = (process.env.LIMITS ?? '2000,4000,8000,32000').split(',').map(Number);

interface Item {
  readonly path: string;
  readonly weight: number;
}

/** Real changes of many files: pull requests arrive as one commit in these repositories. */
function wideCommits(folder: string): string[] {
  const log = execFileSync(
    'git',
    [
      '--git-dir',
      folder,
      'log',
      '--all',
      '--no-merges',
      '--max-count=4000',
      '--format=%x00%H',
      '--name-only',
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const found: string[] = [];
  for (const record of log.split('\0').slice(1)) {
    const [commit = '', ...paths] = record.split('\n').filter(Boolean);
    if (paths.length >= 6 && paths.length <= 300) found.push(commit);
  }
  const step = Math.max(1, Math.floor(found.length / wanted));
  return found.filter((_, index) => index % step === 0).slice(0, wanted);
}

/** The bound of Martello and Toth: for every threshold, what must stand alone, and what the rest needs beyond their leftovers. */
function lowerBound(items: readonly Item[], capacity: number): number {
  const weights = items.map(({ weight }) => weight);
  let best = Math.ceil(weights.reduce((sum, weight) => sum + weight, 0) / capacity);
  for (const threshold of new Set(weights.filter((weight) => weight <= capacity / 2))) {
    const alone = weights.filter((weight) => weight > capacity - threshold);
    const large = weights.filter((weight) => weight <= capacity - threshold && weight > capacity / 2);
    const middle = weights.filter((weight) => weight <= capacity / 2 && weight >= threshold);
    const spare = large.length * capacity - large.reduce((sum, weight) => sum + weight, 0);
    const rest = middle.reduce((sum, weight) => sum + weight, 0) - spare;
    best = Math.max(best, alone.length + large.length + Math.max(0, Math.ceil(rest / capacity)));
  }
  return best;
}

function nextFit(items: readonly Item[], capacity: number): { pages: Map<string, number>; count: number } {
  const pages = new Map<string, number>();
  let [page, load] = [0, 0];
  for (const { path, weight } of items) {
    if (load > 0 && load + weight > capacity) [page, load] = [page + 1, 0];
    pages.set(path, page);
    load += weight;
  }
  return { pages, count: page + 1 };
}

function pairsOf(paths: readonly string[]): [string, string][] {
  const isTest = (path: string) => /(^|\/)(tests?|__tests__)\/|[._](test|spec)\./.test(path);
  const stem = (path: string) =>
    (path.split('/').pop() ?? '').replace(/[._](test|spec)(?=\.)/, '').replace(/\.[^.]+$/, '');
  const bySource = new Map<string, string[]>();
  for (const path of paths)
    if (!isTest(path)) bySource.set(stem(path), [...(bySource.get(stem(path)) ?? []), path]);
  return paths.filter(isTest).flatMap((path) => {
    const sources = bySource.get(stem(path)) ?? [];
    return sources.length === 1 && stem(path) !== 'index' ? [[path, sources[0]!] as [string, string]] : [];
  });
}

const resolved = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '/index.ts', '/index.tsx', '/index.js'];

/** Definition and use: a changed file that imports another changed file by a relative path, as the whole file says. */
async function usesOf(folder: string, commit: string, paths: readonly string[]): Promise<[string, string][]> {
  const known = new Set(paths);
  const texts = await readNamed(
    folder,
    paths.map((path) => `${commit}:${path}`),
  );
  return paths.flatMap((path) => {
    const text = texts.get(`${commit}:${path}`) ?? '';
    const targets = new Set<string>();
    for (const [, module = ''] of text.matchAll(
      /(?:from|import|require\()\s*\(?['"](\.{1,2}\/[^'"]+)['"]/g,
    )) {
      const bare = posix.join(posix.dirname(path), module);
      const found = [bare, bare.replace(/\.[cm]?jsx?$/, '')]
        .flatMap((stem) => resolved.map((end) => `${stem}${end}`))
        .find((candidate) => known.has(candidate));
      if (found !== undefined && found !== path) targets.add(found);
    }
    return [...targets].map((target): [string, string] => [path, target]);
  });
}

interface Row {
  uses: number;
  usesOurs: number;
  usesPathOrder: number;
  usesSizeOrder: number;
  chunks: number;
  bound: number;
  plain: number;
  pairs: number;
  ours: number;
  pathOrder: number;
  sizeOrder: number;
  seedLoop: number;
}

const table: Record<string, unknown>[] = [];
console.log(
  '| repository | limit | changes | chunks | lower bound | above | pairs | together: ours | path order | size order | next-fit by size | uses | together: ours | path order | size order |',
);
console.log(`|---${'|---'.repeat(14)}|`);
for (const folder of repositories) {
  const commits = wideCommits(folder);
  for (const limit of limits) {
    const row: Row = {
      uses: 0,
      usesOurs: 0,
      usesPathOrder: 0,
      usesSizeOrder: 0,
      chunks: 0,
      bound: 0,
      plain: 0,
      pairs: 0,
      ours: 0,
      pathOrder: 0,
      sizeOrder: 0,
      seedLoop: 0,
    };
    for (const commit of commits) {
      const request = reviewRequest.parse({
        repo: folder,
        mode: 'commit',
        commit,
        meter: 'chars/4',
        maxChunkTokens: limit,
      });
      await withPages(request, { folder }, async ({ pages, pieces, meter }) => {
        if (pieces.length === 0) return;
        const capacity = limit * meter.scale;
        row.chunks += pages.length;
        row.bound += lowerBound(pieces, capacity);
        if (pages.length < 2) return;
        const whole = pieces.filter(({ parts }) => parts === 1);
        const pageOf = new Map(pages.flatMap((own, page) => own.map(({ path }) => [path, page] as const)));
        const bySize = [...whole].sort((a, b) => b.weight - a.weight || (a.path < b.path ? -1 : 1));
        const path = nextFit(whole, capacity).pages;
        const seed = nextFit(bySize, capacity).pages;
        const packed = packPages(
          whole.map(({ path: key, weight }) => ({ key, weight })),
          capacity,
        );
        const size = new Map(whole.map((piece, index) => [piece.path, packed.pages[index]]));
        const known = whole.map((piece) => piece.path);
        for (const [left, right] of await usesOf(folder, commit, known)) {
          row.uses += 1;
          if (pageOf.get(left) === pageOf.get(right)) row.usesOurs += 1;
          if (path.get(left) === path.get(right)) row.usesPathOrder += 1;
          if (size.get(left) === size.get(right)) row.usesSizeOrder += 1;
        }
        for (const [left, right] of pairsOf(known)) {
          row.pairs += 1;
          if (pageOf.get(left) === pageOf.get(right)) row.ours += 1;
          if (path.get(left) === path.get(right)) row.pathOrder += 1;
          if (size.get(left) === size.get(right)) row.sizeOrder += 1;
          if (seed.get(left) === seed.get(right)) row.seedLoop += 1;
        }
      });
    }
    const share = (count: number) => (row.pairs === 0 ? '-' : (count / row.pairs).toFixed(2));
    const uses = (count: number) => (row.uses === 0 ? '-' : (count / row.uses).toFixed(2));
    const above = `${((row.chunks / row.bound - 1) * 100).toFixed(2)} %`;
    const repository = folder.split('/').at(-2) ?? folder;
    table.push({ repository, limit, changes: commits.length, ...row, above });
    console.log(
      `| ${repository} | ${limit} | ${commits.length} | ${row.chunks} | ${row.bound} | ${above} | ${row.pairs} | ${share(row.ours)} | ${share(row.pathOrder)} | ${share(row.sizeOrder)} | ${share(row.seedLoop)} | ${row.uses} | ${uses(row.usesOurs)} | ${uses(row.usesPathOrder)} | ${uses(row.usesSizeOrder)} |`,
    );
  }
}
console.log(JSON.stringify({ bench: 'review-packing', table }));
