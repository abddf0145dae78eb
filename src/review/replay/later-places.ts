// What turned out later: commits that say they fix something, on lines a change had brought. Every line such a fix changed counts as
// a place that mattered, told by where it stood when the change was reviewed.
import { languageOf } from '../../code/language.js';
import { lineTrace } from '../../git/mainline/line-trace.js';
import type { MainlineCommit } from '../../git/mainline/mainline.js';
import type { LineHunk, TouchedFile } from '../../git/mainline/touched-files.js';
import { matchRule } from '../change/prune-rules.js';
import { isAsidePath, isTestPath } from '../related/path-kinship.js';
import { type Place, unique } from './places.js';

export interface LaterStep extends Pick<MainlineCommit, 'subject' | 'title' | 'parents'> {
  readonly files: readonly TouchedFile[];
}

export interface LaterFixes {
  /** Commits that fixed something on lines of the change. */
  readonly fixes: number;
  readonly places: readonly Place[];
}

/** Beyond this a commit is a sweep through the code, whatever it calls itself. */
const largest = { files: 15, lines: 300 };

/**
 * `own`: what the change did; `bridge`: what lies between its head and the tree it became on its branch; `later`: what came onto that
 * branch afterwards, oldest first.
 */
export function laterFixes({
  own,
  bridge,
  later,
}: {
  readonly own: readonly TouchedFile[];
  readonly bridge: readonly TouchedFile[];
  readonly later: readonly LaterStep[];
}): LaterFixes {
  const brought = broughtLines(own);
  const trace = lineTrace();
  trace.step(bridge);
  let fixes = 0;
  const places: Place[] = [];
  for (const step of later) {
    if (saysFix(step)) {
      const code = step.files.filter(({ oldPath }) => oldPath !== undefined && isCode(oldPath));
      const touched = code.flatMap(({ oldPath = '', hunks }) =>
        hunks.map((hunk) => touchedLines(hunk).flatMap((line) => trace.originOf(oldPath, line) ?? [])),
      );
      const lines = code.reduce(
        (sum, { hunks }) => sum + hunks.reduce((total, { oldCount }) => total + oldCount, 0),
        0,
      );
      const isSmall = code.length <= largest.files && lines <= largest.lines;
      if (isSmall && touched.flat().some(({ path, line }) => brought.get(path)?.has(line))) {
        fixes += 1;
        places.push(...touched.flatMap(placesOf));
      }
    }
    trace.step(step.files);
  }
  return { fixes, places: unique(places) };
}

/** Lines a change added or wrote anew, by path at its head. */
function broughtLines(own: readonly TouchedFile[]): Map<string, Set<number>> {
  return new Map(
    own.flatMap(({ newPath, hunks }) => {
      if (newPath === undefined) return [];
      const lines = hunks.flatMap(({ newStart, newCount }) => range(newStart, newCount));
      return [[newPath, new Set(lines)] as const];
    }),
  );
}

/** Of the old side; an insertion touches the lines around it. */
function touchedLines({ oldStart, oldCount }: LineHunk): number[] {
  return oldCount === 0 ? [oldStart, oldStart + 1].filter((line) => line > 0) : range(oldStart, oldCount);
}

function range(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start + at);
}

/** Lines far from each other are several places. */
const farthest = 3;

function placesOf(origins: readonly { readonly path: string; readonly line: number }[]): Place[] {
  const found: { path: string; startLine: number; endLine: number }[] = [];
  for (const { path, line } of origins.toSorted((left, right) => left.line - right.line)) {
    const last = found.at(-1);
    if (last !== undefined && line <= last.endLine + farthest) last.endLine = line;
    else found.push({ path, startLine: line, endLine: line });
  }
  return found.map((place) => ({ kind: 'fix', side: 'new', ...place }));
}

const fixWords =
  /\b(?:fix(?:e[sd]|ing)?|bug(?:fix)?|hot-?fix|regress(?:ion|ed)?|revert(?:s|ed)?|repair(?:s|ed)?|broken|crash(?:es|ed)?)\b|修复|修正|回滚|回退|缺陷/iu;

/** What is fixed there is no fault of what a program does. */
const asideWords =
  /^(?:docs?|style|ci|chore|build|tests?|deps)(?:\([^)]*\))?!?:|\b(?:typos?|spelling|grammar|lint(?:er|ing|s)?|eslint|ruff|prettier|mypy|pyright|formatting|white-?space|indentation|changelog|readme|ci|flaky|type (?:errors?|hints?|annotations?)|(?:compiler|lint|deprecation) warnings?)\b|错别字|拼写/iu;

/** A merge says below its first line what it brings. */
export function saysFix({
  subject,
  title,
  parents,
}: Pick<MainlineCommit, 'subject' | 'title' | 'parents'>): boolean {
  const said = parents.length > 1 && title !== '' ? title : subject;
  return fixWords.test(said) && !asideWords.test(said);
}

const notCode = new Set(['markdown', 'text', 'json', 'yaml', 'toml', 'ini', 'xml']);

/** Where a fault can be: what a program does, and neither its tests nor what is written about it. */
function isCode(path: string): boolean {
  return (
    !notCode.has(languageOf(path)) && !isTestPath(path) && !isAsidePath(path) && matchRule(path) === undefined
  );
}
