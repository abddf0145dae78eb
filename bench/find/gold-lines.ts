// The lines a fix touched, as they stood before it: what a reader of the task has to see. A place where lines were only put in is the
// two lines around it.
import { gitDirectory } from '../quality/repositories.js';
import { git, type Task } from './tasks.js';

export interface GoldHunk {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** How many of its lines have to be seen: half of what was changed, either neighbour of what was put in. */
  readonly wanted: number;
}

const head = /^@@ -(\d+)(?:,(\d+))? \+/;

export function goldHunks({ repository, base, commit, gold }: Task): GoldHunk[] {
  const directory = gitDirectory(repository);
  if (directory === undefined || commit === undefined) return [];
  return gold.flatMap((path) => {
    const diff = git(directory, 'diff', '-U0', '--no-ext-diff', '--no-renames', base, commit, '--', path);
    return diff.split('\n').flatMap((line) => {
      const [, start, count = '1'] = head.exec(line) ?? [];
      if (start === undefined) return [];
      const [first, lines] = [Number(start), Number(count)];
      if (lines === 0) return [{ path, startLine: Math.max(1, first), endLine: first + 1, wanted: 1 }];
      return [{ path, startLine: first, endLine: first + lines - 1, wanted: Math.ceil(lines / 2) }];
    });
  });
}

interface Shown {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The share of the places of a fix that are seen. */
export function shareSeen(hunks: readonly GoldHunk[], shown: readonly Shown[]): number {
  const seen = hunks.filter(({ path, startLine, endLine, wanted }) => {
    const lines = new Set<number>();
    for (const range of shown)
      if (range.path === path)
        for (let at = Math.max(startLine, range.startLine); at <= Math.min(endLine, range.endLine); at += 1)
          lines.add(at);
    return lines.size >= wanted;
  });
  return seen.length / hunks.length;
}
