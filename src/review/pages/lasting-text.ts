// What a project says to every page of a review: its rules, the instructions of a skill, and what moved inside lockfiles. Rules
// come from the trusted side: a pull request does not write the rules it is judged by.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { type DependencyChange, summariseLockfiles } from '../change/lockfile-changes.js';
import type { ReviewContext } from '../change/open-review.js';
import { readTreeFiles, resolveInTree, type TreeFileText } from '../change/trusted-files.js';
import type { SkillInstructions } from './skill-instructions.js';

export interface LastingText {
  readonly rules: readonly ProjectRule[];
  readonly instructions?: string;
  readonly dependencies: readonly DependencyChange[];
  readonly warnings: readonly Warning[];
}

/** `rulesFrom` is the tree the rules of the project are read from. */
export async function readLastingText(
  opened: ReviewContext,
  { folder, rulesFrom }: { readonly folder: string; readonly rulesFrom: string },
): Promise<LastingText> {
  const { request, kept, repository, change } = opened;
  const paths = kept.map(({ path }) => path);
  const folders = [folder, ...(repository.topLevel === undefined ? [] : [repository.topLevel])];
  const dependencies = request.lockfileSummary
    ? await summariseLockfiles(repository, change.entries, opened.omitted)
    : [];
  return {
    rules: await readProjectRules(repository, rulesFrom, paths),
    ...(await instructionsOf(opened, folders)),
    dependencies,
  };
}

async function instructionsOf(opened: ReviewContext, folders: readonly string[]): Promise<SkillInstructions> {
  if (opened.request.skill === undefined && opened.config.skill === undefined) return { warnings: [] };
  const { instructionsFor } = await import('./skill-instructions.js');
  return instructionsFor(opened, folders);
}

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

/** CLAUDE.md and GEMINI.md at the root, the nearest files with rules above each changed file, and what the two import. */
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

const maxHops = 5;
const importPattern = /(?:^|(?<=[\s(]))@([^\s@()`<>"']+)/g;
const document = /(?:^|\/)[^/.]+$|\.(?:md|mdx|markdown|txt|rst|adoc)$/i;

/** Documents that rules bring in by `@path/of/a-file.md`, a few hops deep, below each of the files in the order they are named. */
async function readImports(
  repository: Repository,
  tree: string,
  files: readonly TreeFileText[],
): Promise<Map<string, readonly TreeFileText[]>> {
  const texts = new Map<string, TreeFileText>(files.map((file) => [file.path, file]));
  // Hop by hop for all files at once: git is asked at most that often.
  let front = [...files];
  for (let hop = 0; hop < maxHops && front.length > 0; hop += 1) {
    const wanted = [...new Set(front.flatMap(importsOf))].filter((path) => !texts.has(path));
    if (wanted.length === 0) break;
    const found = await readTreeFiles(repository, tree, wanted);
    front = [...found.values()];
    for (const file of front) texts.set(file.path, file);
  }
  return new Map(files.map((file) => [file.path, below(file, texts)]));
}

function below(file: TreeFileText, texts: ReadonlyMap<string, TreeFileText>): TreeFileText[] {
  const seen = new Set([file.path]);
  const found: TreeFileText[] = [];
  const follow = (from: TreeFileText, hops: number) => {
    for (const path of hops < maxHops ? importsOf(from) : []) {
      const next = texts.get(path);
      if (next === undefined || seen.has(path)) continue;
      seen.add(path);
      found.push(next);
      follow(next, hops + 1);
    }
  };
  follow(file, 0);
  return found;
}

/** The paths a text names, from the root of the tree. */
function importsOf({ path, text }: TreeFileText): string[] {
  const paths: string[] = [];
  for (const [, written = ''] of withoutCode(text).matchAll(importPattern)) {
    const name = written.replace(/[.,;:!?]+$/, '');
    if (name.startsWith('~') || !document.test(name)) continue;
    const target = resolveInTree(path, name);
    if (target !== undefined && target !== '') paths.push(target);
  }
  return paths;
}

/** Code and comments only speak of imports. */
function withoutCode(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^[\s>]*(?:[-*+]\s+)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark === undefined) lines.push(line);
    else if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
  return lines
    .join('\n')
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(/(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[\s\S]){0,2000}?(?<!`)\1(?!`)/g, '');
}
