// Builds the questions of one repository from the data files; slow git answers are kept under the temporary folder.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VisibleHunk } from '../../src/review/related/change-query.js';
import { codeFile, listTree, readLog, readNamed, type TreeEntry } from './git-reader.js';
import type { GoldUnit, Instance } from './instance.js';
import type { Row } from './read-rows.js';

export interface LoadedRepository {
  readonly instances: readonly Instance[];
  /** Texts that stand in no git object: the tree after a visible part of a commit. */
  readonly overlays: ReadonlyMap<string, string>;
}

export const cacheRoot = join(tmpdir(), 'galley-quality');
mkdirSync(cacheRoot, { recursive: true });

export function cached<Value>(key: string, make: () => Value): Value {
  const file = join(cacheRoot, `${createHash('sha1').update(key).digest('hex')}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Value;
  const value = make();
  writeFileSync(file, JSON.stringify(value));
  return value;
}

const historyLimit = 400;

export async function loadInstances(
  name: string,
  directory: string,
  rows: readonly Row[],
): Promise<LoadedRepository> {
  const wanted = new Set<string>();
  for (const row of rows) {
    for (const path of Object.keys(row.visible)) {
      wanted.add(`${row.base ?? row.parent}:${path}`);
      wanted.add(`${row.snapshot ?? row.commit}:${path}`);
    }
  }
  const texts = await readNamed(directory, [...wanted]);
  const overlays = new Map<string, string>();
  const instances = rows.map((row, index) => {
    const before = (row.base ?? row.parent)!;
    const after = (row.snapshot ?? row.commit)!;
    const treeAt = (row.snapshot ?? row.parent)!;
    let tree = cached(`tree1:${treeAt}`, () => listTree(directory, treeAt));
    const hunks: VisibleHunk[] = [];
    const shifts = new Map<string, (line: number) => number>();
    for (const [path, spans] of Object.entries(row.visible)) {
      const oldLines = linesOf(texts.get(`${before}:${path}`));
      const newLines = linesOf(texts.get(`${after}:${path}`));
      const partial = row.kind === 'samefile' && row.hidden.some((unit) => unit.path === path);
      const built = applyHunks(oldLines, newLines, spans);
      for (const hunk of built.hunks) hunks.push({ ...hunk, path });
      if (row.snapshot !== undefined) continue;
      const key = `${after}:${index}:${path}`;
      if (codeFile.test(path)) {
        overlays.set(key, built.text);
        tree = withEntry(tree, { path, blob: key });
      }
      if (partial) shifts.set(path, built.shift);
    }
    const gold: GoldUnit[] = row.hidden.map((unit) => ({
      path: unit.path,
      lines: unit.gold.map((line) => shifts.get(unit.path)?.(line) ?? line),
    }));
    const paths = Object.keys(row.visible).toSorted();
    const history = cached(`history1:${before}:${paths.join('\0')}`, () =>
      readLog(directory, [
        '-n',
        String(historyLimit),
        '--full-diff',
        before,
        '--',
        ...paths.map((path) => `:(literal)${path}`),
      ]),
    );
    const task = row.kind === 'prfollow' ? 'followup' : row.kind;
    return {
      id: `${name}:${task}:${index}`,
      repository: name,
      task,
      tree,
      hunks,
      gold,
      history,
    } satisfies Instance;
  });
  return { instances, overlays };
}

function withEntry(tree: readonly TreeEntry[], entry: TreeEntry): TreeEntry[] {
  const others = tree.filter((other) => other.path !== entry.path);
  return [...others, entry].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function linesOf(text: string | undefined): string[] {
  const lines = (text ?? '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function applyHunks(
  oldLines: readonly string[],
  newLines: readonly string[],
  spans: readonly (readonly [number, number, number, number])[],
) {
  const out: string[] = [];
  const hunks: Omit<VisibleHunk, 'path'>[] = [];
  const moves: { from: number; by: number }[] = [];
  let at = 0;
  let by = 0;
  for (const [oldStart, oldCount, newStart, newCount] of spans) {
    const first = oldCount === 0 ? oldStart : oldStart - 1;
    while (at < first && at < oldLines.length) out.push(oldLines[at++]!);
    const added = newCount === 0 ? [] : newLines.slice(newStart - 1, newStart - 1 + newCount);
    const start = newCount === 0 ? out.length : out.length + 1;
    out.push(...added);
    hunks.push({ oldLines: oldLines.slice(first, first + oldCount), newLines: added, newStart: start });
    at = Math.max(at, first + oldCount);
    by += newCount - oldCount;
    moves.push({ from: first + oldCount + 1, by });
  }
  while (at < oldLines.length) out.push(oldLines[at++]!);
  const shift = (line: number): number => {
    let moved = line;
    for (const move of moves) if (line >= move.from) moved = line + move.by;
    return moved;
  };
  return { text: `${out.join('\n')}\n`, hunks, shift };
}
