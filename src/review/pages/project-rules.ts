// Which rules does the project give a reviewer? CLAUDE.md at the root, and the nearest AGENTS.md or CLAUDE.md above each
// changed file. They come from the trusted side: a pull request does not write the rules it is judged by.
import { byCodePoint } from '../../core/model/code-point-order.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { readTreeFiles } from '../prune/project-file.js';

export interface ProjectRule {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
}

const names = ['CLAUDE.md', 'AGENTS.md'];

export async function readProjectRules(
  repository: Repository,
  tree: string,
  paths: readonly string[],
): Promise<ProjectRule[]> {
  const folders = new Set<string>(['']);
  for (const path of paths) for (const folder of foldersAbove(path)) folders.add(folder);
  const places = [...folders].flatMap((folder) => names.map((name) => `${folder}${name}`));
  const files = await readTreeFiles(repository, tree, places);
  const wanted = new Set<string>();
  if (files.has('CLAUDE.md')) wanted.add('CLAUDE.md');
  for (const path of paths.length === 0 ? [''] : paths) {
    const nearest = foldersAbove(path).find((folder) => names.some((name) => files.has(`${folder}${name}`)));
    if (nearest !== undefined)
      for (const name of names) if (files.has(`${nearest}${name}`)) wanted.add(`${nearest}${name}`);
  }
  const seen = new Set<string>();
  const rules: ProjectRule[] = [];
  for (const path of [...wanted].sort(rootFirst)) {
    const { blob = '', text = '' } = files.get(path) ?? {};
    // The same words twice, as a link or a copy, are said once.
    if (seen.has(blob) || text.trim() === '') continue;
    seen.add(blob);
    rules.push({ path, blob, text });
  }
  return rules;
}

/** Nearest first, each with its trailing slash; the root is empty. */
function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return Array.from({ length: segments.length + 1 }, (_, up) => {
    const folder = segments.slice(0, segments.length - up).join('/');
    return folder === '' ? '' : `${folder}/`;
  });
}

function rootFirst(left: string, right: string): number {
  const depth = (path: string) => path.split('/').length;
  return (
    depth(left) - depth(right) ||
    names.indexOf(left.split('/').at(-1) ?? '') - names.indexOf(right.split('/').at(-1) ?? '') ||
    byCodePoint(left, right)
  );
}
