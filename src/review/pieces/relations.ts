// Which changed files belong together? An implementation and its test, files of one name side by side, and files of which one
// imports the other. The answer is a cluster name per path; clusters stay well below a page.
import { packPages } from '../../core/fit/pack-pages.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { ReviewContext } from '../change/open-review.js';

const testFolders = new Set(['test', 'tests', '__tests__', 'spec', 'specs', '__mocks__', '__snapshots__']);
const sourceFolders = new Set(['src', 'lib', 'main', 'java', 'kotlin', 'app', 'source']);
const marks = /(?:[._-](?:test|tests|spec|specs|e2e|stories|bench)|_test|Tests?|Spec)$/;
const common = /^(index|main|mod|__init__|types|utils|readme|package|lib)$/i;
const maxNamesakes = 100;
const relativeImport = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"](\.{1,2}\/[^'"\n]{1,300})['"]/g;
const dottedImport =
  /^[ +-]?\s*(?:from|import|use|using)\s+(?:static\s+)?([A-Za-z_][\w]*(?:(?:\.|::)[A-Za-z_]\w*)+)/gm;

export interface LinkedFile {
  readonly path: string;
  readonly weight: number;
  /** Module specifiers as they stand in the text. */
  readonly imports: readonly string[];
}

/** What a patch or a file says it imports. */
export function importsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, module = ''] of text.matchAll(relativeImport)) found.add(module);
  for (const [, module = ''] of text.matchAll(dottedImport)) found.add(module.replaceAll(/::|\./g, '/'));
  return [...found];
}

/** Above this many files one way of clustering has to do. */
const maxWeighed = 500;
const usualShare = 1 / 4;
/** How much of a page a cluster of imports and neighbours may fill; the usual share comes first and wins a tie. */
const shares = [usualShare, 1, 1 / 2, 1 / 8, 0];

/** By path, for files that have company: of several ways the one that leaves most related files on one page. */
export function relate(files: readonly LinkedFile[], capacity: number): Map<string, string> {
  const links = linksOf(files);
  const usual = cluster(files, links, { capacity, share: usualShare, neighbours: false });
  const whole = files.reduce((sum, { weight }) => sum + weight, 0);
  if (whole <= capacity || files.length > maxWeighed) return usual;
  let best = { affinities: usual, kept: keptTogether(files, links, { affinities: usual, capacity }) };
  for (const share of shares)
    for (const neighbours of [false, true]) {
      const affinities = cluster(files, links, { capacity, share, neighbours });
      const kept = keptTogether(files, links, { affinities, capacity });
      if (kept > best.kept) best = { affinities, kept };
    }
  return best.affinities;
}

interface Links {
  readonly names: readonly [string, string][];
  readonly uses: readonly [string, string][];
  /** Files side by side in the order of paths, and how many folders they share. */
  readonly beside: readonly { readonly pair: readonly [string, string]; readonly shared: number }[];
}

const linked = new WeakMap<readonly LinkedFile[], Links>();

/** Links say nothing of the capacity: the same files have them for every budget. */
function linksOf(files: readonly LinkedFile[]): Links {
  const found = linked.get(files) ?? {
    ...{ names: namesakes(files), uses: uses(files), beside: besideEachOther(files) },
  };
  linked.set(files, found);
  return found;
}

function besideEachOther(files: readonly LinkedFile[]): Links['beside'] {
  const paths = files.map(({ path }) => path).sort(byCodePoint);
  const folders = paths.map((path) => path.split('/'));
  return paths.slice(1).map((next, at) => ({
    pair: [paths[at] ?? '', next],
    shared: sharedFolders(folders[at] ?? [], folders[at + 1] ?? []),
  }));
}

interface Coarseness {
  readonly capacity: number;
  readonly share: number;
  /** Files of one folder stand for uses that no import tells. */
  readonly neighbours: boolean;
}

function cluster(
  files: readonly LinkedFile[],
  { names, uses: used, beside }: Links,
  { capacity, share, neighbours }: Coarseness,
): Map<string, string> {
  const clusters = new Clusters(files);
  for (const [left, right] of names) clusters.join(left, right, capacity);
  for (const [left, right] of used) clusters.join(left, right, capacity * share);
  if (neighbours)
    for (let depth = 20; depth >= 0; depth -= 1)
      for (const { pair, shared } of beside)
        if (shared >= depth) clusters.join(pair[0], pair[1], capacity * share);
  return clusters.names();
}

/** The share of links of each kind whose files would stand on one page, added up. */
function keptTogether(
  files: readonly LinkedFile[],
  { names, uses: used }: Links,
  { affinities, capacity }: { affinities: ReadonlyMap<string, string>; capacity: number },
): number {
  const items = files.map(({ path, weight }) => {
    const affinity = affinities.get(path);
    return { key: path, weight, ...(affinity === undefined ? {} : { affinity }) };
  });
  const { pages } = packPages(items, capacity);
  const pageOf = new Map(files.map(({ path }, at) => [path, pages[at]]));
  const together = (pairs: readonly [string, string][]) =>
    pairs.filter(([left, right]) => pageOf.get(left) === pageOf.get(right)).length /
    Math.max(1, pairs.length);
  return together(names) + together(used);
}

class Clusters {
  readonly #root = new Map<string, string>();
  readonly #weight = new Map<string, number>();

  constructor(files: readonly LinkedFile[]) {
    for (const { path, weight } of files) {
      this.#root.set(path, path);
      this.#weight.set(path, weight);
    }
  }

  join(left: string, right: string, most: number): void {
    const a = this.#find(left);
    const b = this.#find(right);
    const weight = (this.#weight.get(a) ?? 0) + (this.#weight.get(b) ?? 0);
    if (a === b || weight > most) return;
    const [first, second] = byCodePoint(a, b) < 0 ? [a, b] : [b, a];
    this.#root.set(second, first);
    this.#weight.set(first, weight);
  }

  names(): Map<string, string> {
    const sizes = new Map<string, number>();
    for (const path of this.#root.keys()) {
      const root = this.#find(path);
      sizes.set(root, (sizes.get(root) ?? 0) + 1);
    }
    const named = new Map<string, string>();
    for (const path of this.#root.keys()) {
      const root = this.#find(path);
      if ((sizes.get(root) ?? 0) > 1) named.set(path, root);
    }
    return named;
  }

  #find(path: string): string {
    let at = path;
    for (let up = this.#root.get(at); up !== undefined && up !== at; up = this.#root.get(at)) at = up;
    return at;
  }
}

/** Pairs of one stem: each file with the nearest other of its stem, nearest folders first. */
function namesakes(files: readonly LinkedFile[]): [string, string][] {
  const byStem = new Map<string, { path: string; folders: string[]; isTest: boolean }[]>();
  for (const { path } of files) {
    const { stem, folders, isTest } = stemOf(path);
    // An index or a package's own file says nothing about another of that name elsewhere.
    const key = common.test(stem) ? `${folders.join('/')}/${stem}` : stem;
    const group = byStem.get(key) ?? [];
    group.push({ path, folders, isTest });
    byStem.set(key, group);
  }
  const pairs: { pair: [string, string]; shared: number }[] = [];
  for (const group of byStem.values()) {
    if (group.length > maxNamesakes) continue;
    for (const file of group) {
      const others = group.filter((other) => other !== file && (file.isTest ? !other.isTest : true));
      const ranked = others
        .map((other) => ({ other, shared: sharedFolders(file.folders, other.folders) }))
        .sort((a, b) => b.shared - a.shared || byCodePoint(a.other.path, b.other.path));
      const best = ranked[0];
      if (best === undefined) continue;
      const near = best.shared >= Math.max(file.folders.length, best.other.folders.length);
      if (near || file.isTest !== best.other.isTest)
        pairs.push({ pair: [file.path, best.other.path], shared: best.shared });
    }
  }
  return pairs
    .sort((a, b) => b.shared - a.shared || byCodePoint(a.pair[0], b.pair[0]))
    .map(({ pair }) => pair);
}

function stemOf(path: string): { stem: string; folders: string[]; isTest: boolean } {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  let stem = name.startsWith('.') ? name : name.replace(/\.[^.]*$/, '');
  let isTest = segments.some((segment) => testFolders.has(segment));
  const plain = stem.replace(/\.(d|module)$/, '').replace(/^test_/, '');
  if (plain !== stem && stem.startsWith('test_')) isTest = true;
  stem = plain;
  for (let next = stem.replace(marks, ''); next !== stem && next !== ''; next = stem.replace(marks, '')) {
    stem = next;
    isTest = true;
  }
  const folders = segments.filter((segment) => !testFolders.has(segment) && !sourceFolders.has(segment));
  return { stem: stem.toLowerCase(), folders, isTest };
}

function sharedFolders(left: readonly string[], right: readonly string[]): number {
  let shared = 0;
  while (shared < left.length && shared < right.length && left[shared] === right[shared]) shared += 1;
  return shared;
}

/** Who uses whom; what few others use binds more than what everybody does. */
function uses(files: readonly LinkedFile[]): [string, string][] {
  const byModule = new Map<string, string>();
  for (const { path } of files) {
    const bare = path.replace(/(?:\.d)?\.[^./]+$/, '');
    for (const name of [path, bare, bare.replace(/\/(?:index|__init__|mod)$/, '')]) byModule.set(name, path);
    // Dotted names start at some source root.
    const segments = bare.split('/');
    for (const depth of [2, 3, 4]) byModule.set(`*/${segments.slice(-depth).join('/')}`, path);
  }
  const pairs: [string, string][] = [];
  for (const { path, imports: modules } of files) {
    for (const module of modules) {
      const target = targetOf(path, module, byModule);
      if (target !== undefined && target !== path) pairs.push([path, target]);
    }
  }
  const users = new Map<string, number>();
  for (const [, target] of pairs) users.set(target, (users.get(target) ?? 0) + 1);
  return pairs.sort(
    ([a, left], [b, right]) =>
      users.get(left)! - users.get(right)! || byCodePoint(left, right) || byCodePoint(a, b),
  );
}

function targetOf(path: string, module: string, byModule: ReadonlyMap<string, string>): string | undefined {
  if (!module.startsWith('.')) {
    const segments = module.split('/');
    for (const end of [segments.length, segments.length - 1])
      for (const depth of [4, 3, 2]) {
        const found = depth <= end && byModule.get(`*/${segments.slice(end - depth, end).join('/')}`);
        if (found) return found;
      }
    return undefined;
  }
  const folder = path.split('/').slice(0, -1);
  for (const step of module.split('/')) {
    if (step === '..') folder.pop();
    else if (step !== '.' && step !== '') folder.push(step);
  }
  const place = folder.join('/');
  return byModule.get(place) ?? byModule.get(place.replace(/\.(?:js|mjs|cjs|jsx|ts)$/, ''));
}

const maxFiles = 500;
const largestFile = 200_000;

/**
 * A patch shows only the imports near its hunks. Where the pages will be several and the files few, the whole files are asked,
 * so that what uses what is known before the pages are filled.
 */
export async function withWholeImports(
  { repository, kept }: Pick<ReviewContext, 'repository' | 'kept'>,
  files: readonly LinkedFile[],
): Promise<readonly LinkedFile[]> {
  if (files.length > maxFiles) return files;
  const blobs = new Map<string, string>();
  for (const { path, kind, missing, newBlob, newSize = largestFile } of kept)
    if (kind === 'file' && !missing && newBlob !== undefined && newSize < largestFile)
      blobs.set(path, newBlob);
  const asked = files.filter(({ path }) => blobs.has(path));
  const contents = await repository.objects.ask(
    'contents',
    asked.map(({ path }) => blobs.get(path)!),
  );
  const imports = new Map(
    asked.map(({ path }, at) => [path, importsIn(contents[at]?.bytes?.toString('utf8') ?? '')]),
  );
  return files.map((file) => ({
    ...file,
    imports: [...new Set([...file.imports, ...(imports.get(file.path) ?? [])])],
  }));
}
