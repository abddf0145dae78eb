// What became of what was said before? Each earlier finding is matched with at most one of today; ids survive a reworded remark,
// so nothing is posted twice.

import type { Finding } from './finding.js';
import { compareFindings } from './finding-order.js';
import { type MessageTokens, messageOverlap, messageTokens } from './message-overlap.js';
import { hasSubstance, normalCode } from './normal-text.js';

/** What is resolved is no finding of today, and stands in a list of its own. */
export type Standing = 'new' | 'still-there';

export interface CarriedFindings<T> {
  /** Today's, in the order given; one that is still there has its earlier id. */
  readonly current: readonly (T & { readonly standing: Standing })[];
  readonly resolved: readonly Finding[];
  /** Earlier ones whose code nobody looked at this time. */
  readonly unchecked: readonly Finding[];
}

export interface CarryOver {
  readonly earlier: readonly Finding[];
  /** Was the code of this earlier finding reviewed again? What was not looked at cannot be resolved. */
  readonly reviewedAgain?: ((earlier: Finding) => boolean) | undefined;
}

const similar = 0.6;

export function carryOver<T extends { readonly finding: Finding }>(
  items: readonly T[],
  { earlier, reviewedAgain = () => true }: CarryOver,
): CarriedFindings<T> {
  const partners = new Map<T, Finding>();
  const open = new Set([...earlier].sort(compareFindings));
  const waiting = [...items].sort((left, right) => compareFindings(left.finding, right.finding));
  const pair = (matches: (now: Finding, before: Finding) => boolean) => {
    for (const item of waiting) {
      if (partners.has(item)) continue;
      const candidates = [...open].filter(
        (before) => before.path === item.finding.path && matches(item.finding, before),
      );
      const distance = (before: Finding) => Math.abs(before.startLine - item.finding.startLine);
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

function sameRemark(): (now: Finding, before: Finding) => boolean {
  const known = new Map<Finding, { code: string; tokens: MessageTokens }>();
  const read = (finding: Finding) => {
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
    return messageOverlap(left.tokens, right.tokens) >= similar;
  };
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}
