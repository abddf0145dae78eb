// Which rules does the project give a reviewer? CLAUDE.md and GEMINI.md at the root, the nearest files with rules above each
// changed file, and what the two import. They come from the trusted side: a pull request does not write the rules it is judged by.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { readTreeFiles, type TreeFileText } from '../prune/project-file.js';
import { readImports } from './rule-imports.js';

export interface ProjectRule {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
  /** What they hold for, with its trailing slash; empty for everything. */
  readonly folder: string;
}

const names = ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md'];
/** Those whose own readers follow imports and read every file on the way up to the root. */
const importing = new Set(['CLAUDE.md', 'GEMINI.md']);

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
  for (const name of importing) if (files.has(name)) wanted.add(name);
  for (const path of paths.length === 0 ? [''] : paths) {
    const nearest = foldersAbove(path).find((folder) => names.some((name) => files.has(`${folder}${name}`)));
    if (nearest !== undefined)
      for (const name of names) if (files.has(`${nearest}${name}`)) wanted.add(`${nearest}${name}`);
  }
  const sorted = [...wanted].sort(rootFirst).flatMap((path) => files.get(path) ?? []);
  const imports = await readImports(
    repository,
    tree,
    sorted.filter(({ path }) => importing.has(path.split('/').at(-1) ?? '')),
  );
  const seen = new Set<string>();
  const rules: ProjectRule[] = [];
  const add = ({ path, blob, text }: TreeFileText, folder: string) => {
    // The same words twice, as a link, a copy or an import, are said once.
    if (seen.has(text.trim()) || text.trim() === '') return;
    seen.add(text.trim());
    rules.push({ path, blob, text, folder });
  };
  for (const file of sorted) {
    const folder = foldersAbove(file.path)[0] ?? '';
    add(file, folder);
    for (const imported of imports.get(file.path) ?? []) add(imported, folder);
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
