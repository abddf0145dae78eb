// One remark per fault, however many pages reported it and however often it was said before: ids survive a reworded remark, so
// nothing is posted twice.
import { byCodePoint } from '../../core/model/code-points.js';
import type { PlacedFinding } from './check-anchors.js';
import type { ReviewFinding } from './finding.js';
import { compareFindings, isAtLeast } from './finding.js';
import {
  hasSubstance,
  type MessageTokens,
  messageOverlap,
  messageTokens,
  normalCode,
  numberEqualIds,
} from './finding-identity.js';

interface MergedFindings {
  readonly findings: readonly PlacedFinding[];
  /** How many were said again. */
  readonly duplicates: number;
}

interface SaidFinding extends PlacedFinding {
  /** The page that said it. */
  readonly page?: number;
}

const similar = 0.5;
/** What two pages say of neighbouring lines is one remark only in all but the same words. */
const nearLines = 3;
const nearlyEqual = 0.8;

/** Ordered, with ids that are unique among them; of those that say the same, the one with the best anchor stays. */
export function mergeFindings(placed: readonly SaidFinding[]): MergedFindings {
  const ordered = [...placed].sort(
    (left, right) =>
      anchorRank(left) - anchorRank(right) ||
      compareFindings(left.finding, right.finding) ||
      byCodePoint(placeName(left), placeName(right)) ||
      (left.page ?? 0) - (right.page ?? 0),
  );
  const buckets = new Map<string, { placed: SaidFinding; tokens: MessageTokens }[]>();
  for (const candidate of ordered) {
    const { finding } = candidate;
    const key = `${finding.path}\0${finding.category}`;
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    const tokens = messageTokens(finding.message);
    const same = bucket.find(
      (kept) => messageOverlap(kept.tokens, tokens) >= overlapNeeded(kept.placed, candidate),
    );
    if (same === undefined) bucket.push({ placed: candidate, tokens });
    else same.placed = absorbed(same.placed, candidate);
  }
  const kept = [...buckets.values()].flat().map(({ placed: { page: _, ...one } }) => one);
  const named = numberEqualIds(kept.map(({ finding }) => finding));
  const findings = kept
    .map((one, index) => ({ ...one, finding: named[index]! }))
    .sort((left, right) => compareFindings(left.finding, right.finding));
  return { findings, duplicates: placed.length - findings.length };
}

/** As it was given or where its quote stands, then what was moved or cut; what has no line comes last. */
function anchorRank({ place }: PlacedFinding): number {
  if (place.kind === 'summary') return 3;
  if (place.by === 'clip') return 2;
  return place.by === 'side' ? 1 : 0;
}

/** How much of their words two remarks have to share to be one, by where they stand; more than all where they cannot be. */
function overlapNeeded(kept: SaidFinding, candidate: SaidFinding): number {
  if (kept.place.kind !== candidate.place.kind) return similar;
  const [left, right] = [kept.finding, candidate.finding];
  if (left.startLine === 0 || right.startLine === 0) return similar;
  const apart = Math.max(left.startLine - right.endLine, right.startLine - left.endLine);
  if (left.side !== right.side || apart > nearLines) return Number.POSITIVE_INFINITY;
  if (apart <= 0) return similar;
  const isOtherPage = kept.page !== undefined && candidate.page !== undefined && kept.page !== candidate.page;
  return isOtherPage && !quoteOther(left, right) ? nearlyEqual : Number.POSITIVE_INFINITY;
}

/** Both quote code, and neither quote is part of the other. */
function quoteOther(left: ReviewFinding, right: ReviewFinding): boolean {
  if (!hasSubstance(left.evidence) || !hasSubstance(right.evidence)) return false;
  const [one, other] = [normalCode(left.evidence), normalCode(right.evidence)];
  return !one.includes(other) && !other.includes(one);
}

/** Two pages that agree make it no less bad and no less sure; it is refuted where both are. */
function absorbed(first: SaidFinding, again: SaidFinding): SaidFinding {
  if (first.refuted === undefined || again.refuted !== undefined) return joined(first, again);
  const { refuted: _, ...kept } = first;
  return joined(kept, again);
}

function joined(kept: SaidFinding, again: SaidFinding): SaidFinding {
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
  const { remedy: __, ...plain } = finding;
  return { ...rest, finding: { ...plain, suggestion: second.suggestion } };
}

/** Only for findings that are equal in every word. */
function placeName({ place, lostSuggestion, refuted }: PlacedFinding): string {
  return `${place.kind === 'anchored' ? place.by : place.reason} ${lostSuggestion ?? ''} ${refuted ?? ''}`;
}

/** What is resolved is no finding of today, and stands in a list of its own. */
export type FindingStanding = 'new' | 'still-there';

interface CarriedFindings<T> {
  /** Today's, in the order given; one that is still there has its earlier id. */
  readonly current: readonly (T & { readonly standing: FindingStanding })[];
  readonly resolved: readonly ReviewFinding[];
  /** Earlier ones whose code nobody looked at this time. */
  readonly unchecked: readonly ReviewFinding[];
}

export interface CarryOver {
  readonly earlier: readonly ReviewFinding[];
  /** Was the code of this earlier finding reviewed again? What was not looked at cannot be resolved. */
  readonly reviewedAgain?: ((earlier: ReviewFinding) => boolean) | undefined;
}

const sameRemarkOverlap = 0.6;

/** Each earlier finding is matched with at most one of today. */
export function carryOver<T extends { readonly finding: ReviewFinding }>(
  items: readonly T[],
  { earlier, reviewedAgain = () => true }: CarryOver,
): CarriedFindings<T> {
  const partners = new Map<T, ReviewFinding>();
  const open = new Set([...earlier].sort(compareFindings));
  const waiting = [...items].sort((left, right) => compareFindings(left.finding, right.finding));
  const pair = (matches: (now: ReviewFinding, before: ReviewFinding) => boolean) => {
    for (const item of waiting) {
      if (partners.has(item)) continue;
      const candidates = [...open].filter(
        (before) => before.path === item.finding.path && matches(item.finding, before),
      );
      const distance = (before: ReviewFinding) => Math.abs(before.startLine - item.finding.startLine);
      const [closest] = candidates.sort((left, right) => distance(left) - distance(right));
      if (closest === undefined) continue;
      partners.set(item, closest);
      open.delete(closest);
    }
  };
  pair((now, before) => now.id === before.id);
  const saysTheSame = sameRemark();
  pair((now, before) => now.category === before.category && saysTheSame(now, before));

  const taken = new Set([...partners.values()].map(({ id }) => id));
  const current = items.map((item) => {
    const before = partners.get(item);
    if (before !== undefined)
      return { ...item, finding: { ...item.finding, id: before.id }, standing: 'still-there' as const };
    const id = freeId(item.finding.id, taken);
    return { ...item, finding: { ...item.finding, id }, standing: 'new' as const };
  });
  const left = [...open];
  return {
    current,
    resolved: left.filter((before) => reviewedAgain(before)),
    unchecked: left.filter((before) => !reviewedAgain(before)),
  };
}

type Remark = Pick<ReviewFinding, 'message' | 'evidence'>;

/** By the code that is quoted, else by the words; what was read once is remembered. */
export function sameRemark(): (now: Remark, before: Remark) => boolean {
  const known = new Map<Remark, { code: string; tokens: MessageTokens }>();
  const read = (finding: Remark) => {
    const earlier = known.get(finding);
    if (earlier !== undefined) return earlier;
    const code = hasSubstance(finding.evidence) ? normalCode(finding.evidence) : '';
    const fresh = { code, tokens: messageTokens(finding.message) };
    known.set(finding, fresh);
    return fresh;
  };
  return (now, before) => {
    const [left, right] = [read(now), read(before)];
    if (left.code !== '' && left.code === right.code) return true;
    return messageOverlap(left.tokens, right.tokens) >= sameRemarkOverlap;
  };
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}
