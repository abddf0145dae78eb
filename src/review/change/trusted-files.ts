// Files of a project that steer a review, read from the side of the change that its author cannot have touched: the old side
// of a pull request, the new side otherwise.

import type { ChangeSet } from '../../git/changes/read-change-set.js';
import { readGit } from '../../git/process/run-git.js';
import type { Repository } from '../../git/repository/open-repository.js';

export function trustedTree({
  mode,
  oldTree,
  newTree,
}: Pick<ChangeSet, 'mode' | 'oldTree' | 'newTree'>): string {
  return mode === 'pr' ? oldTree : newTree;
}

export interface TreeFileText {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
}

const linkMode = '120000';
const maxBytes = 1_000_000;

/** The texts of those paths that are files of the tree; a link is followed once, inside the tree. */
export async function readTreeFiles(
  repository: Repository,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, TreeFileText>> {
  const found = await look(repository, tree, paths);
  const links = [...found].filter(([, entry]) => entry.mode === linkMode);
  const targets = new Map<string, string>();
  for (const [path, { text }] of links) {
    const target = resolveInTree(path, text);
    if (target !== undefined) targets.set(path, target);
  }
  const behind =
    targets.size === 0 ? new Map() : await look(repository, tree, [...new Set(targets.values())]);
  const files = new Map<string, TreeFileText>();
  for (const [path, entry] of found) {
    const target = targets.get(path);
    const real = entry.mode === linkMode ? behind.get(target ?? '') : entry;
    if (real !== undefined && real.mode !== linkMode)
      files.set(path, { path, blob: real.blob, text: real.text });
  }
  return files;
}

interface Looked {
  readonly mode: string;
  readonly blob: string;
  readonly text: string;
}

async function look(
  repository: Repository,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, Looked>> {
  const found = new Map<string, Looked>();
  // Most are not there, and the process that reads objects can tell.
  const likely = await repository.objects.present(tree, paths);
  const rows: { path: string; mode: string; blob: string }[] = [];
  // Command lines are bounded, so many paths take several calls.
  for (let from = 0; from < likely.length; from += 500) {
    const part = likely.slice(from, from + 500);
    const { output } = await readGit(repository.cleanRoom, [
      'ls-tree',
      '-z',
      '--full-tree',
      tree,
      '--',
      ...part,
    ]);
    for (const record of output.toString('utf8').split('\0')) {
      const tab = record.indexOf('\t');
      const [mode = '', type, blob = ''] = record.slice(0, tab).split(' ');
      if (tab > 0 && type === 'blob') rows.push({ path: record.slice(tab + 1), mode, blob });
    }
  }
  const sizes = await repository.objects.ask(
    'info',
    rows.map(({ blob }) => blob),
  );
  const readable = rows.filter((_, index) => (sizes[index]?.size ?? maxBytes) < maxBytes);
  const contents = await repository.objects.ask(
    'contents',
    readable.map(({ blob }) => blob),
  );
  readable.forEach(({ path, mode, blob }, index) => {
    const bytes = contents[index]?.bytes;
    if (bytes !== undefined) found.set(path, { mode, blob, text: bytes.toString('utf8') });
  });
  return found;
}

/** A path as written in the file at `path`, from the root of the tree; undefined where it leads out of it. */
export function resolveInTree(path: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const segments = path.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') segments.push(step);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}
