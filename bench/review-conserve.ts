// Promise: over real commits no changed line is lost, every applicable piece applies in order, and together they give the head
// tree on the paths that are not omitted.
// Repositories are bare git folders: named as arguments, or whatever lies in GALLEY_MIRRORS. HUGE=1 takes the widest commits.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reviewRequest } from '../src/review/change/review-request.js';
import { withPages } from '../src/review/pages/page-set.js';
import { mirrorRoot } from './quality/repositories.js';

const mirror = mirrorRoot;
const named = process.argv.slice(2).filter((argument) => existsSync(argument));
const repositories =
  named.length > 0
    ? named
    : existsSync(mirror)
      ? readdirSync(mirror)
          .map((name) => join(mirror, name, 'repo'))
          .filter((folder) => existsSync(join(folder, 'HEAD')))
      : [];
const perRepository = Number(process.env.COMMITS ?? 40);
const limits = (process.env.LIMITS ?? '600,4000,32000').split(',').map(Number);
const scratch = mkdtempSync(join(tmpdir(), 'galley-conserve-'));

interface Result {
  repository: string;
  commits: number;
  runs: number;
  changedLines: number;
  unaccounted: number;
  pieces: number;
  applicable: number;
  applied: number;
  split: number;
  treesChecked: number;
  treesEqual: number;
}

function gitIn(folder: string, index: string) {
  const env = {
    ...process.env,
    GIT_INDEX_FILE: index,
    GIT_DIR: folder,
    GIT_OBJECT_DIRECTORY: join(scratch, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(folder, 'objects'),
  };
  return (args: readonly string[], input: string | Buffer = '') =>
    execFileSync('git', args, {
      env,
      input,
      cwd: scratch,
      maxBuffer: 1 << 30,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
}

function chosenCommits(folder: string): string[] {
  const output = execFileSync(
    'git',
    ['--git-dir', folder, 'rev-list', '--all', '--min-parents=1', '--max-count=6000'],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  );
  const all = process.env.HUGE === undefined ? output.trim().split('\n') : widest(folder);
  const step = Math.max(1, Math.floor(all.length / perRepository));
  return all.filter((_, index) => index % step === 0).slice(0, perRepository);
}

/** The commits that touch most paths. */
function widest(folder: string): string[] {
  const flags = [
    '--all',
    '--min-parents=1',
    '--diff-merges=first-parent',
    '--max-count=6000',
    '--no-renames',
  ];
  const log = execFileSync('git', ['--git-dir', folder, 'log', ...flags, '--name-only', '--format=%x00%H'], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  return log
    .split('\0')
    .slice(1)
    .map((record) => record.split('\n').filter(Boolean))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, perRepository)
    .map(([commit = '']) => commit);
}

/** Paths of which a side is not in this copy; they are accounted as such, and git cannot count their lines. */
function absentIn(git: ReturnType<typeof gitIn>, commit: string): string[] {
  const fields = git(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', `${commit}^`, commit])
    .toString()
    .split('\0');
  const sides: { path: string; id: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode, newMode, oldId = '', newId = ''] = fields[at]!.slice(1).split(' ');
    const path = fields[at + 1]!;
    if (oldMode?.startsWith('1') && oldMode !== '160000') sides.push({ path, id: oldId });
    if (newMode?.startsWith('1') && newMode !== '160000') sides.push({ path, id: newId });
  }
  const answers = git(['cat-file', '--batch-check'], sides.map(({ id }) => `${id}\n`).join(''))
    .toString()
    .split('\n');
  return [...new Set(sides.filter((_, at) => answers[at]?.endsWith(' missing')).map(({ path }) => path))];
}

/** By numstat, with the pairs that git's own search gives; large changes are searched for renames only. */
function changedIn(
  git: ReturnType<typeof gitIn>,
  commit: string,
  { search, absent }: { search: string; absent: readonly string[] },
): { added: number; removed: number } {
  const flags = ['-r', '--numstat', search, '-l1000', '--diff-algorithm=histogram', '--no-textconv'];
  const without = absent.length === 0 ? [] : ['.', ...absent.map((path) => `:(exclude,literal)${path}`)];
  const output = git(['diff-tree', ...flags, `${commit}^`, commit, '--', ...without]);
  let [added, removed] = [0, 0];
  for (const line of output.toString('latin1').split('\n')) {
    const [plus, minus] = line.split('\t');
    added += Number(plus) || 0;
    removed += Number(minus) || 0;
  }
  return { added, removed };
}

/** Counts by the hunk headers, the way git reads a patch. */
function linesIn(patch: string): { added: number; removed: number } {
  let [added, removed, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const line of patch.split('\n')) {
    if (oldLeft > 0 || newLeft > 0) {
      if (line.startsWith('+')) [added, newLeft] = [added + 1, newLeft - 1];
      else if (line.startsWith('-')) [removed, oldLeft] = [removed + 1, oldLeft - 1];
      else if (!line.startsWith('\\')) [oldLeft, newLeft] = [oldLeft - 1, newLeft - 1];
      continue;
    }
    const match = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (match !== null) [oldLeft, newLeft] = [Number(match[1] ?? 1), Number(match[2] ?? 1)];
  }
  return { added, removed };
}

async function check(folder: string, commit: string, maxChunkTokens: number, result: Result): Promise<void> {
  const request = reviewRequest.parse({
    repo: folder,
    mode: 'commit',
    commit,
    maxChunkTokens,
    meter: 'chars/4',
  });
  const git = gitIn(folder, join(scratch, 'index'));
  await withPages(request, { folder }, async (set) => {
    const chunks: { text: string }[] = [];
    for await (const chunk of set.chunks()) chunks.push(chunk);
    const { pages } = set.receipt();
    const byId = new Map(set.pieces.map((piece) => [piece.id, piece]));
    const whole = new Set(set.pieces.map(({ path }) => path));
    for (const { path, applicable } of set.pieces) if (!applicable) whole.delete(path);
    const sum = { added: 0, removed: 0 };
    for (const { added, removed } of set.omitted) {
      sum.added += added;
      sum.removed += removed;
    }
    git(['read-tree', `${commit}^`]);
    chunks.forEach(({ text }, page) => {
      const bytes = Buffer.from(text);
      const ready: Buffer[] = [];
      for (const { fragment, start, end } of pages[page]?.parts[0]?.spans ?? []) {
        const piece = byId.get(fragment);
        if (piece === undefined) continue;
        const patch = bytes.subarray(start, end);
        const lines = linesIn(patch.toString('utf8'));
        sum.added += lines.added;
        sum.removed += lines.removed;
        result.pieces += 1;
        if (!piece.applicable) continue;
        result.applicable += 1;
        if (whole.has(piece.path)) ready.push(patch);
        else result.applicable -= 1;
      }
      // One call takes the patches of a page in their order; when it fails, each is tried alone to name the culprit.
      if (ready.length === 0) return;
      try {
        git(['apply', '--cached', '--whitespace=nowarn', '-'], Buffer.concat(ready));
        result.applied += ready.length;
      } catch {
        for (const patch of ready) {
          try {
            git(['apply', '--cached', '--whitespace=nowarn', '-'], patch);
            result.applied += 1;
          } catch (error) {
            console.error(
              `${folder} ${commit} ${maxChunkTokens}: ${String((error as Error).message).slice(0, 300)}`,
            );
          }
        }
      }
    });
    const equals = (one: { added: number; removed: number }) =>
      one.added === sum.added && one.removed === sum.removed;
    const absent = absentIn(git, commit);
    // Contents that are not in this copy can only be paired by their ids.
    const searches = absent.length > 0 ? ['-M100%'] : ['-C50%', '-M50%', '-M100%'];
    let truth = { added: -1, removed: -1 };
    for (const search of searches) if (!equals(truth)) truth = changedIn(git, commit, { search, absent });
    result.changedLines += truth.added + truth.removed;
    const lost = Math.abs(truth.added - sum.added) + Math.abs(truth.removed - sum.removed);
    if (lost > 0)
      console.error(
        `${folder} ${commit} ${maxChunkTokens}: ${JSON.stringify(truth)} against ${JSON.stringify(sum)}`,
      );
    result.unaccounted += lost;
    result.split += set.receipt().accounting.splitFiles;
    const ours = git(['write-tree', '--missing-ok']).toString().trim();
    // Outside the paths that were applied, the parent's tree must stand.
    const differing = git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', ours, commit])
      .toString()
      .split('\0')
      .filter(Boolean);
    const left = new Set(set.omitted.map(({ path }) => path));
    const unapplied = new Set(
      set.pieces.filter(({ path }) => !whole.has(path)).map(({ oldPath }) => oldPath),
    );
    const allowed = (path: string) =>
      unapplied.has(path) || left.has(path) || (byPath(set.pieces, path) && !whole.has(path));
    const wrong = differing.filter(
      (path) => !allowed(path) && !oldSideOf(git, commit, path, (name) => left.has(name) || !whole.has(name)),
    );
    result.treesChecked += 1;
    if (wrong.length === 0) result.treesEqual += 1;
    else console.error(`${folder} ${commit} ${maxChunkTokens}: differs at ${wrong.slice(0, 3).join(', ')}`);
  });
}

function byPath(pieces: readonly { path: string }[], path: string): boolean {
  return pieces.some((piece) => piece.path === path);
}

/** The old name of a rename that was not applied. */
function oldSideOf(
  git: ReturnType<typeof gitIn>,
  commit: string,
  path: string,
  isOut: (path: string) => boolean,
): boolean {
  const flags = ['-r', '-z', '--name-status', '-l1000'];
  const pairs = (search: string) => git(['diff-tree', ...flags, search, `${commit}^`, commit]).toString();
  let found: string;
  try {
    found = pairs('-C50%');
  } catch {
    // Contents that are not in this copy can only be paired by their ids.
    found = pairs('-M100%');
  }
  const output = found.split('\0');
  return output.some(
    (field, index) => /^[R]\d+/.test(field) && output[index + 1] === path && isOut(output[index + 2] ?? ''),
  );
}

const results: Result[] = [];
try {
  execFileSync('git', ['init', '-q', '--bare', join(scratch, 'room')]);
  execFileSync('mkdir', ['-p', join(scratch, 'objects')]);
  for (const folder of repositories) {
    const result: Result = {
      repository: folder.split('/').at(-2) ?? folder,
      commits: 0,
      runs: 0,
      changedLines: 0,
      unaccounted: 0,
      pieces: 0,
      applicable: 0,
      applied: 0,
      split: 0,
      treesChecked: 0,
      treesEqual: 0,
    };
    for (const commit of chosenCommits(folder)) {
      result.commits += 1;
      for (const limit of limits) {
        result.runs += 1;
        await check(folder, commit, limit, result);
      }
    }
    results.push(result);
    console.error(JSON.stringify(result));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const total = (pick: (result: Result) => number) => results.reduce((sum, result) => sum + pick(result), 0);
console.log(
  JSON.stringify({
    bench: 'review-conserve',
    commits: total(({ commits }) => commits),
    unaccountedLines: total(({ unaccounted }) => unaccounted),
    applied: `${total(({ applied }) => applied)}/${total(({ applicable }) => applicable)}`,
    trees: `${total(({ treesEqual }) => treesEqual)}/${total(({ treesChecked }) => treesChecked)}`,
    results,
  }),
);
console.log(
  '\n| repository | commits | changed lines | unaccounted | pieces applied | split files | head trees |',
);
console.log('|---|---|---|---|---|---|---|');
for (const each of results)
  console.log(
    `| ${each.repository} | ${each.commits} | ${each.changedLines} | ${each.unaccounted} | ${each.applied}/${each.applicable} | ${each.split} | ${each.treesEqual}/${each.treesChecked} |`,
  );
