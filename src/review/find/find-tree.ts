// A tree as one searches it: its source files, the terms of each and of its path. What a question does not change is worked out once.
import { LRUCache } from 'lru-cache';
import { byCodePoint } from '../../core/model/code-points.js';
import type { Warning } from '../../core/model/error.js';
import { listTree, type TreeFile } from '../../git/objects/tree-files.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { sourceFile } from '../context/repository-corpus.js';
import { isTestPath, stemOf } from '../related/path-kinship.js';
import { largestFile } from '../units/changed-file.js';
import { hashTerm } from './hash-terms.js';
import { termsIn } from './task-words.js';
import { countTree, type FileWords } from './tree-words.js';

export interface FindTree {
  /** By code point. */
  readonly paths: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  readonly blobs: ReadonlyMap<string, string>;
  /** In the order of the paths; a file that was not read has none. */
  readonly words: readonly (FileWords | undefined)[];
  /** Terms of the path, and how much each counts in it. */
  readonly pathTerms: readonly ReadonlyMap<number, number>[];
  /** Which paths have a term. */
  readonly pathsWith: ReadonlyMap<number, readonly number[]>;
  /** The name of each file without test marks, as its test has it too. */
  readonly stems: readonly string[];
  /** Which file a path ends like, where it is one alone. */
  readonly ends: ReadonlyMap<string, number>;
  readonly isTest: readonly boolean[];
  /** Examples, benchmarks, documents, code of others. */
  readonly isAside: readonly boolean[];
  /** Who defines a term; several who do are not told apart. */
  readonly definers: ReadonlyMap<number, number>;
  readonly warnings: readonly Warning[];
}

const alsoCode =
  /\.(?:dart|lua|exs?|erl|hs|mli?|clj[cs]?|zig|nim|jl|r|pl|pm|sh|bash|ps1|sql|proto|graphql|tf|groovy|gradle|kts|mm?|astro|elm|fs|vb|sol)$/;
const aside =
  /(?:^|\/)(?:examples?|samples?|benchmarks?|bench|fixtures?|docs?|vendor|third_party)\/|\.d\.ts$/i;
/** What is read of a tree at most. */
const maxTreeBytes = 150_000_000;

const known = new LRUCache<string, FindTree>({ max: 4 });

export async function readFindTree(
  repository: Repository,
  tree: string,
  { speaks, signal }: { speaks(path: string): boolean; readonly signal: AbortSignal | undefined },
): Promise<FindTree> {
  const before = known.get(tree);
  if (before !== undefined) return before;
  const all = await listTree(repository, tree, {
    only: ({ path, mode }) => mode.startsWith('100') && (sourceFile.test(path) || alsoCode.test(path)),
    signal,
  });
  const { read, isWhole } = whatToRead(all, speaks);
  const counted = await countTree(
    repository,
    read.map(({ blob }) => blob),
    signal,
  );
  const words = new Map(read.map(({ path, blob }) => [path, counted.get(blob)]));
  const made = makeFindTree(all, words, warningsOf(all.length, read.length));
  // What was left out depends on the question, so it is not kept for the next one.
  if (isWhole) known.set(tree, made);
  return made;
}

function whatToRead(
  all: readonly TreeFile[],
  speaks: (path: string) => boolean,
): { read: readonly TreeFile[]; isWhole: boolean } {
  const readable = all.filter(({ size }) => size !== undefined && size <= largestFile);
  const total = readable.reduce((sum, { size = 0 }) => sum + size, 0);
  if (total <= maxTreeBytes) return { read: readable, isWhole: true };
  const first = readable.filter(({ path }) => speaks(path));
  const chosen = new Set(first);
  let bytes = 0;
  const read = [...first, ...readable.filter((file) => !chosen.has(file))].filter(({ size = 0 }) => {
    bytes += size;
    return bytes <= maxTreeBytes;
  });
  return { read, isWhole: false };
}

function warningsOf(total: number, read: number): Warning[] {
  const left = total - read;
  if (left === 0) return [];
  const message = `${left} of ${total} files were looked for by name and history only: they, or the tree, are larger than what is read.`;
  return [{ code: 'FIND_PARTIAL', message, details: { left, total } }];
}

function makeFindTree(
  files: readonly TreeFile[],
  words: ReadonlyMap<string, FileWords | undefined>,
  warnings: readonly Warning[],
): FindTree {
  const paths = files.map(({ path }) => path).sort(byCodePoint);
  const inOrder = paths.map((path) => words.get(path));
  const pathTerms = termsOfPaths(paths);
  return {
    paths,
    places: new Map(paths.map((path, at) => [path, at])),
    blobs: new Map(files.map(({ path, blob }) => [path, blob])),
    words: inOrder,
    pathTerms,
    pathsWith: placesOfTerms(pathTerms),
    stems: paths.map(stemOf),
    ends: endsIn(paths),
    isTest: paths.map(isTestPath),
    isAside: paths.map((path) => aside.test(path)),
    definers: definersOf(inOrder),
    warnings,
  };
}

/** A word of the file's own name counts twice. */
function termsOfPaths(paths: readonly string[]): Map<number, number>[] {
  const folders = new Map<string, readonly number[]>();
  return paths.map((path) => {
    const bare = path.replace(/\.[^./]*$/, '');
    const slash = bare.lastIndexOf('/') + 1;
    const folder = bare.slice(0, slash);
    const above = folders.get(folder) ?? termsIn(folder).map(hashTerm);
    folders.set(folder, above);
    const terms = new Map(above.map((term) => [term, 1]));
    for (const term of termsIn(bare.slice(slash))) terms.set(hashTerm(term), 2);
    return terms;
  });
}

function placesOfTerms(pathTerms: FindTree['pathTerms']): Map<number, number[]> {
  const places = new Map<number, number[]>();
  pathTerms.forEach((terms, at) => {
    for (const term of terms.keys()) {
      const list = places.get(term);
      if (list === undefined) places.set(term, [at]);
      else list.push(at);
    }
  });
  return places;
}

export const manyDefine = -1;

function definersOf(words: FindTree['words']): Map<number, number> {
  const definers = new Map<number, number>();
  words.forEach((file, at) => {
    for (const term of file?.defined ?? []) definers.set(term, definers.has(term) ? manyDefine : at);
  });
  return definers;
}

export const severalEnd = -1;

function endsIn(paths: readonly string[]): Map<string, number> {
  const ends = new Map<string, number>();
  paths.forEach((path, at) => {
    for (const end of endsOf(path)) ends.set(end, ends.has(end) ? severalEnd : at);
  });
  return ends;
}

const untelling = /^(?:index|__init__|mod|main|lib|utils?|types?)\./;

/** The last three names of a path, the last two, and its own where that tells it apart. */
export function endsOf(path: string): string[] {
  const names = path.split('/');
  const own = names.at(-1) ?? '';
  const ends = [3, 2].filter((n) => names.length >= n).map((n) => names.slice(-n).join('/'));
  return untelling.test(own) ? ends : [...ends, own];
}
