// Places that mattered: lines that people commented on, and lines that a later fix changed. Which of them a reader would have seen,
// and which findings stand on them.

import type { LineRange } from '../../code/range-evidence.js';
import type { ForgeComment, PullState } from '../../forges/forge.js';
import type { ReviewFinding } from '../findings/finding.js';
import { readFinding } from '../pull/finding-marks.js';
import type { ShownRange } from '../units/snippet.js';

/** In the tree of the head; on the old side in that of the base. */
export interface Place extends ShownRange {
  readonly kind: 'comment' | 'fix';
}

/** What people said on lines, where these lines still are what they were; the author's own notes are no review. */
export function commentPlaces({ pull, threads }: PullState): Place[] {
  return unique(
    threads.flatMap(({ path, lines, comments: [first] }): Place[] => {
      if (lines === undefined || first === undefined || first.author === pull.author) return [];
      if (isByApp(first) || (first.isOurs && readFinding(first.body) !== undefined)) return [];
      return [{ kind: 'comment', path, ...lines }];
    }),
  );
}

function isByApp({ isByApp: isTold, author }: ForgeComment): boolean {
  return isTold === true || /\[bot\]$|[-_]bot$/.test(author);
}

/** The same lines count once. */
export function unique(places: readonly Place[]): Place[] {
  const byKey = new Map(
    places.map((place) => [
      `${place.kind}\0${place.side}\0${place.path}\0${place.startLine}\0${place.endLine}`,
      place,
    ]),
  );
  return [...byKey.values()];
}

/** Places of which a reader sees at least half of the lines. */
export function shownPlaces(places: readonly Place[], shown: readonly ShownRange[]): Place[] {
  const lines = new Map<string, Set<number>>();
  for (const range of shown) {
    const known = lines.get(fileOf(range)) ?? new Set<number>();
    lines.set(fileOf(range), known);
    for (let line = range.startLine; line <= range.endLine; line += 1) known.add(line);
  }
  return places.filter((place) => {
    const known = lines.get(fileOf(place));
    if (known === undefined) return false;
    let seen = 0;
    for (let line = place.startLine; line <= place.endLine; line += 1) if (known.has(line)) seen += 1;
    return seen * 2 >= place.endLine - place.startLine + 1;
  });
}

export interface FindingScore {
  readonly findings: number;
  /** Of these, on lines that people or a later fix touched, or right beside them. */
  readonly onPlaces: number;
  /** Places with at least one finding on them. */
  readonly placesFound: number;
}

/** Models and people are seldom off by more. */
const reach = 2;

export function scoreFindings(findings: readonly ReviewFinding[], places: readonly Place[]): FindingScore {
  const meets = (finding: ReviewFinding, place: Place) =>
    finding.startLine > 0 && fileOf(finding) === fileOf(place) && isNear(finding, place);
  return {
    findings: findings.length,
    onPlaces: findings.filter((finding) => places.some((place) => meets(finding, place))).length,
    placesFound: places.filter((place) => findings.some((finding) => meets(finding, place))).length,
  };
}

function isNear(one: LineRange, other: LineRange): boolean {
  return one.startLine - reach <= other.endLine && one.endLine + reach >= other.startLine;
}

function fileOf({ side, path }: Pick<ShownRange, 'side' | 'path'>): string {
  return `${side}:${path}`;
}
