// Draws follow-up questions from the pull requests of public repositories: what the first commit shows, and which functions the later
// commits of the same request had to touch outside of it. Newest requests first, the same rows on every run.
// Usage: draw-followups <folder> [repository …]
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outline } from '../../src/code/outline.js';
import { innermost } from '../../src/review/related/file-pieces.js';
import { isTestPath } from '../../src/review/related/path-kinship.js';
import { codeFile, git, readNamed } from './git-reader.js';
import type { Row } from './read-rows.js';
import { gitDirectory } from './repositories.js';

const wanted = 40;
const mostRead = 1500;
const largestVisible = 600;
const mostGold = 12;
const margin = 3;

type Hunk = readonly [oldStart: number, oldCount: number, newStart: number, newCount: number];

const [folder = 'followups', ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const name of names) {
  const directory = gitDirectory(name);
  if (directory === undefined) continue;
  const rows = await drawRows(name, directory);
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(join(folder, `${name}.jsonl`), text);
  console.log(name, rows.length, createHash('sha256').update(text).digest('hex'));
}

async function drawRows(name: string, directory: string): Promise<Row[]> {
  const numbers = pullNumbers(directory, []).toSorted((a, b) => b - a);
  // A request whose last commit the main line holds shows no commits of its own.
  const open = new Set(pullNumbers(directory, ['--no-merged', 'HEAD']));
  const rows: Row[] = [];
  for (const number of numbers.slice(0, mostRead)) {
    if (rows.length >= wanted) break;
    if (!open.has(number)) continue;
    const row = await rowOf(name, directory, `refs/pull/${number}/head`);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function pullNumbers(directory: string, filter: readonly string[]): number[] {
  const refs = git(directory, ['for-each-ref', '--format=%(refname)', ...filter, 'refs/pull']);
  return refs
    .trim()
    .split('\n')
    .map((ref) => Number(ref.split('/')[2]));
}

async function rowOf(name: string, directory: string, head: string): Promise<Row | undefined> {
  const list = git(directory, ['rev-list', '--reverse', '--parents', '-n', '30', head, '--not', 'HEAD']);
  const commits = list
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const first = commits[0];
  const last = commits.at(-1)?.[0];
  // A request without merges only: what others did meanwhile is no follow-up.
  if (first === undefined || last === undefined || commits.length < 2) return undefined;
  if (commits.some((commit) => commit.length !== 2)) return undefined;
  const [snapshot, base] = first as [string, string];
  const visible = changes(directory, base, snapshot);
  const size = [...visible.values()].flat().reduce((sum, hunk) => sum + hunk[1] + hunk[3], 0);
  const isSource = (path: string) => codeFile.test(path) && !isTestPath(path);
  if (size > largestVisible || ![...visible.keys()].some(isSource)) return undefined;
  const later = [...changes(directory, snapshot, last)].filter(([path]) => isSource(path));
  const texts = await readNamed(
    directory,
    later.map(([path]) => `${snapshot}:${path}`),
  );
  const hidden: { path: string; unit: string; gold: number[] }[] = [];
  for (const [path, hunks] of later) {
    const text = texts.get(`${snapshot}:${path}`);
    if (text === undefined) continue;
    const { symbols } = await outline(path, text);
    const units = new Map<number, Set<number>>();
    for (const line of hunks.flatMap(touched)) {
      if (isShown(line, visible.get(path) ?? [])) continue;
      const unit = innermost(symbols, line);
      if (unit >= 0) units.set(unit, (units.get(unit) ?? new Set()).add(line));
    }
    for (const [unit, gold] of units)
      hidden.push({ path, unit: symbols[unit]!.name, gold: [...gold].toSorted((a, b) => a - b) });
  }
  if (hidden.length === 0 || hidden.length > mostGold) return undefined;
  return {
    repo: name,
    kind: 'prfollow',
    base,
    snapshot,
    head: last,
    visible: Object.fromEntries(visible),
    hidden,
  };
}

/** Lines of the old side a hunk touches; an insertion touches the lines around it. */
function touched([start, count]: Hunk): number[] {
  if (count === 0) return [start, start + 1];
  return Array.from({ length: count }, (_, index) => start + index);
}

function isShown(line: number, hunks: readonly Hunk[]): boolean {
  return hunks.some(([, , start, count]) => line >= start - margin && line < start + count + margin);
}

function changes(directory: string, from: string, to: string): Map<string, Hunk[]> {
  const text = git(directory, ['diff', '-U0', '--no-renames', '--diff-filter=AM', from, to]);
  const found = new Map<string, Hunk[]>();
  let path = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('+++ b/')) path = line.slice(6);
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u.exec(line);
    if (head === null) continue;
    const [, a, b = '1', c, d = '1'] = head;
    found.set(path, [...(found.get(path) ?? []), [Number(a), Number(b), Number(c), Number(d)]]);
  }
  return found;
}
