// Files that rules bring in by `@path/of/a-file.md`: documents of the same tree, a few hops deep, each once. Everything is read from
// the tree that is trusted, so neither a path nor a link leads out of the repository.
import type { Repository } from '../../git/repository/open-repository.js';
import { readTreeFiles, resolveInTree, type TreeFileText } from '../prune/project-file.js';

const mostHops = 5;
const importing = /(?:^|(?<=[\s(]))@([^\s@()`<>"']+)/g;
const document = /(?:^|\/)[^/.]+$|\.(?:md|mdx|markdown|txt|rst|adoc)$/i;

/** The documents below each of the files, in the order they are named. */
export async function readImports(
  repository: Repository,
  tree: string,
  files: readonly TreeFileText[],
): Promise<Map<string, readonly TreeFileText[]>> {
  const texts = new Map<string, TreeFileText>(files.map((file) => [file.path, file]));
  // Hop by hop for all files at once: git is asked at most that often.
  let front = [...files];
  for (let hop = 0; hop < mostHops && front.length > 0; hop += 1) {
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
    for (const path of hops < mostHops ? importsOf(from) : []) {
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
  for (const [, written = ''] of withoutCode(text).matchAll(importing)) {
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
