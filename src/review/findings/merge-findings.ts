// One remark per fault, however many pages reported it: same file, category and lines, and about the same words.

import { byCodePoint } from '../../core/model/code-points.js';
import { numberEqualIds } from './finding-id.js';
import { compareFindings } from './finding-order.js';
import { type MessageTokens, messageOverlap, messageTokens } from './message-overlap.js';
import type { PlacedFinding } from './placed-finding.js';
import { isAtLeast } from './severity.js';

export interface MergedFindings {
  readonly findings: readonly PlacedFinding[];
  /** How many were said again. */
  readonly duplicates: number;
}

const similar = 0.5;

/** Ordered, with ids that are unique among them. */
export function mergeFindings(placed: readonly PlacedFinding[]): MergedFindings {
  const ordered = [...placed].sort(
    (left, right) =>
      // What is anchored absorbs what is not.
      Number(right.place.kind === 'anchored') - Number(left.place.kind === 'anchored') ||
      compareFindings(left.finding, right.finding) ||
      byCodePoint(placeName(left), placeName(right)),
  );
  const buckets = new Map<string, { placed: PlacedFinding; tokens: MessageTokens }[]>();
  for (const candidate of ordered) {
    const { finding } = candidate;
    const key = `${finding.path}\0${finding.category}`;
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    const tokens = messageTokens(finding.message);
    const same = bucket.find(
      (kept) => sameAnchor(kept.placed, candidate) && messageOverlap(kept.tokens, tokens) >= similar,
    );
    if (same === undefined) bucket.push({ placed: candidate, tokens });
    else same.placed = absorbed(same.placed, candidate);
  }
  const kept = [...buckets.values()].flat().map((entry) => entry.placed);
  const named = numberEqualIds(kept.map(({ finding }) => finding));
  const findings = kept
    .map((one, index) => ({ ...one, finding: named[index]! }))
    .sort((left, right) => compareFindings(left.finding, right.finding));
  return { findings, duplicates: placed.length - findings.length };
}

function sameAnchor(kept: PlacedFinding, candidate: PlacedFinding): boolean {
  if (kept.place.kind !== candidate.place.kind) return true;
  const [left, right] = [kept.finding, candidate.finding];
  if (left.startLine === 0 || right.startLine === 0) return true;
  return left.side === right.side && left.startLine <= right.endLine && right.startLine <= left.endLine;
}

/** Two pages that agree make it no less bad and no less sure. */
function absorbed(kept: PlacedFinding, again: PlacedFinding): PlacedFinding {
  const [first, second] = [kept.finding, again.finding];
  const finding = {
    ...first,
    severity: isAtLeast(second.severity, first.severity) ? second.severity : first.severity,
    confidence: Math.max(first.confidence, second.confidence),
  };
  const sameLines =
    kept.place.kind === again.place.kind &&
    first.side === second.side &&
    first.startLine === second.startLine &&
    first.endLine === second.endLine;
  if (first.suggestion !== undefined || second.suggestion === undefined || !sameLines)
    return { ...kept, finding };
  const { lostSuggestion: _, ...rest } = kept;
  return { ...rest, finding: { ...finding, suggestion: second.suggestion } };
}

/** Only for findings that are equal in every word. */
function placeName({ place, lostSuggestion }: PlacedFinding): string {
  return `${place.kind === 'anchored' ? place.by : place.reason} ${lostSuggestion ?? ''}`;
}
