// What stands on a page, as fragments: what is around the diff, the pieces of the diff in an order in which they apply, and the
// findings of linters beside them.
import { byCodePoint } from '../../core/model/code-points.js';
import type { FinishHits, Fragment } from '../../core/model/fragment.js';
import { isProjectRelative } from '../../core/model/fragment.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { groupBy } from '../change/group-by.js';
import { printablePath } from '../change/safe-text.js';
import type { LinterFinding, LinterSeverity } from '../linters/linter-finding.js';
import { riskByPath } from '../pieces/line-importance.js';
import type { Piece } from '../pieces/piece.js';
import type { ProjectRule } from './lasting-text.js';
import type { PageBody } from './page-format.js';
import type { ShownRule } from './yielding-rules.js';

export interface Wrapping {
  readonly rules: readonly ShownRule[];
  readonly instructions?: string;
  readonly coverage?: string;
  readonly dependencies?: readonly string[];
}

interface WrappingFact {
  readonly id: string;
  readonly body: PageBody;
  readonly level?: string;
  readonly path?: string;
}

export const pageScope = { project: 'review' };

export function wrappingFragments(wrapping: Wrapping): Fragment<PageBody>[] {
  const fragments: Fragment<PageBody>[] = [];
  const add = (layer: string, section: string, fact: WrappingFact) => {
    fragments.push({
      id: fact.id,
      source: section,
      scope: pageScope,
      layer,
      section,
      rank: 0,
      position: fragments.length,
      levels: [{ name: fact.level ?? 'whole', body: fact.body }],
      ...(fact.path === undefined ? {} : { ref: { path: fact.path } }),
    });
  };
  const text = (words: string): PageBody => ({ kind: 'text', text: words });
  add('title', 'title', { id: 'title', body: { kind: 'nothing' } });
  for (const rule of wrapping.rules)
    add('rules', 'rules', {
      ...{ id: `rules:${rule.path}`, body: text(labelled(rule)), path: rule.path },
      ...(rule.isPart ? { level: 'part' } : {}),
    });
  if (wrapping.instructions)
    add('instructions', 'instructions', { id: 'instructions', body: text(wrapping.instructions.trim()) });
  if (wrapping.coverage) add('notes', 'coverage', { id: 'coverage', body: text(wrapping.coverage) });
  for (const [at, line] of (wrapping.dependencies ?? []).entries())
    add('notes', 'dependencies', { id: `dependencies:${at}`, body: text(line) });
  return fragments;
}

/** The root's own files stand as they are; others say who they are and where they hold. */
export function labelled({ path, folder, text }: ProjectRule): string {
  if (!path.includes('/')) return text.trim();
  return `${path}${folder === '' ? '' : ` (for ${folder})`}:\n${text.trim()}`;
}

interface DiffOptions {
  readonly entries: readonly ChangeEntry[];
  readonly capacity: number;
  readonly affinities: ReadonlyMap<string, string>;
  /** What finishing did to the words of a piece. */
  hitsOf(id: string): FinishHits;
}

/** What must be applied in order keeps its order, what belongs together says so. */
export function diffFragments(pieces: readonly Piece[], options: DiffOptions): Fragment<PageBody>[] {
  const byPath = groupBy(pieces, ({ path }) => path);
  const sets = setsOf([...byPath.keys()].sort(byCodePoint), options.entries);
  const fragments: Fragment<PageBody>[] = [];
  for (const set of sets) {
    const own = set.flatMap((path) => byPath.get(path) ?? []);
    const weight = own.reduce((sum, piece) => sum + piece.weight, 0);
    const together = set.length > 1 && weight <= options.capacity;
    own.forEach((piece, at) => {
      const affinity = options.affinities.get(piece.path);
      const before = together ? undefined : own[at - 1]?.id;
      fragments.push({
        id: piece.id,
        source: 'diff',
        scope: pageScope,
        layer: 'diff',
        section: 'code',
        rank: riskByPath(piece.path),
        position: fragments.length,
        levels: [
          {
            ...{ name: 'whole', body: { kind: 'diff', id: piece.id }, finished: options.hitsOf(piece.id) },
            weight: piece.blocks.reduce((sum, block) => sum + block.weight, 0),
          },
        ],
        spread: piece.weight,
        ...(isProjectRelative(piece.path) ? { ref: { path: piece.path } } : {}),
        ...(together ? { bond: own[0]!.id } : {}),
        ...(before === undefined ? {} : { after: before }),
        ...(affinity === undefined ? {} : { affinity }),
      });
    });
  }
  return fragments;
}

/** Paths in reading order; those that depend on each other stand together, in the order in which they apply. */
function setsOf(paths: readonly string[], entries: readonly ChangeEntry[]): string[][] {
  const known = new Set(paths);
  const groupOf = new Map<string, string[]>();
  for (const group of applyGroups(entries.filter(({ path }) => known.has(path))))
    for (const path of group) groupOf.set(path, group);
  const done = new Set<string>();
  return paths.flatMap((path) => {
    if (done.has(path)) return [];
    const set = groupOf.get(path) ?? [path];
    for (const member of set) done.add(member);
    return [set];
  });
}

type Link = Pick<ChangeEntry, 'path' | 'oldPath' | 'status'>;

/**
 * A path has to be free before something takes it, and a copy reads its source before the source changes: groups of such files,
 * each in an order that works.
 */
function applyGroups(entries: readonly Link[]): string[][] {
  const edges = edgesBetween(entries);
  const near = new Map<string, Set<string>>();
  const join = (a: string, b: string) => near.set(a, (near.get(a) ?? new Set()).add(b));
  for (const [first, second] of edges) {
    join(first, second);
    join(second, first);
  }
  const seen = new Set<string>();
  const groups: string[][] = [];
  for (const start of [...near.keys()].sort(byCodePoint)) {
    if (seen.has(start)) continue;
    const group: string[] = [];
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      group.push(at);
      open.push(...(near.get(at) ?? []));
    }
    groups.push(inOrder(group, edges));
  }
  return groups;
}

function edgesBetween(entries: readonly Link[]): [string, string][] {
  const frees = new Map<string, string>();
  const freesBelow = new Map<string, string[]>();
  const copies = new Map<string, string[]>();
  for (const { path, oldPath, status } of entries) {
    const freed = status === 'deleted' ? path : status === 'renamed' ? oldPath : undefined;
    if (freed !== undefined) {
      frees.set(freed, path);
      for (const folder of above(freed)) append(freesBelow, folder, path);
    }
    if (status === 'copied' && oldPath !== undefined) append(copies, oldPath, path);
  }
  const edges: [string, string][] = [];
  const add = (first: string | undefined, second: string) => {
    if (first !== undefined && first !== second) edges.push([first, second]);
  };
  for (const { path, oldPath, status } of entries) {
    if (status === 'added' || status === 'renamed' || status === 'copied') {
      add(frees.get(path), path);
      for (const folder of above(path)) add(frees.get(folder), path);
      for (const below of freesBelow.get(path) ?? []) add(below, path);
    }
    const touched =
      status === 'renamed' ? oldPath : status === 'added' || status === 'copied' ? undefined : path;
    for (const copy of copies.get(touched ?? '') ?? []) add(copy, path);
  }
  return edges;
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function above(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Where the files wait for each other in a circle, only applying them together works; they come last, by name. */
function inOrder(group: readonly string[], edges: readonly (readonly [string, string])[]): string[] {
  const left = new Set([...group].sort(byCodePoint));
  const own = edges.filter(([first]) => left.has(first));
  const order: string[] = [];
  for (let moved = true; moved && left.size > 0; ) {
    moved = false;
    for (const path of left) {
      if (own.some(([first, second]) => second === path && left.has(first))) continue;
      left.delete(path);
      order.push(path);
      moved = true;
    }
  }
  return [...order, ...left];
}

const linterRanks: Readonly<Record<LinterSeverity, number>> = { error: 3, warning: 2, info: 1 };
const maxCharacters = 500;

/** Beside the piece they are about; those on changed lines only, unless the caller wants all of the file. */
export function linterFragments(
  findings: readonly LinterFinding[],
  pieces: readonly Piece[],
  scope: 'changed-lines' | 'changed-files',
): Fragment<PageBody>[] {
  const byPath = groupBy(pieces, ({ path }) => path);
  const fragments: Fragment<PageBody>[] = [];
  const seen = new Set<string>();
  for (const finding of findings) {
    const own = byPath.get(finding.path) ?? [];
    const piece =
      own.find((each) => touches(each, finding)) ?? (scope === 'changed-files' ? own[0] : undefined);
    const text = wordsOf(finding);
    // Several linters may say the same of the same line.
    if (piece === undefined || seen.has(text)) continue;
    seen.add(text);
    fragments.push({
      id: `finding:${fragments.length}`,
      source: 'linter',
      scope: pageScope,
      layer: 'linter',
      section: 'linter',
      rank: linterRanks[finding.severity],
      position: fragments.length,
      levels: [{ name: 'whole', body: { kind: 'text', text } }],
      beside: piece.id,
    });
  }
  return fragments;
}

function touches({ changed }: Piece, { line, endLine }: LinterFinding): boolean {
  if (line === undefined) return false;
  return changed.some((range) => range.startLine <= (endLine ?? line) && range.endLine >= line);
}

function wordsOf({ path, line, severity, rule, message }: LinterFinding): string {
  const place = line === undefined ? printablePath(path) : `${printablePath(path)}:${line}`;
  const said = message.replaceAll(/\s+/g, ' ').trim().slice(0, maxCharacters).toWellFormed();
  return `- ${place}: ${severity}: ${said}${rule === undefined ? '' : ` (${printablePath(rule)})`}`;
}
