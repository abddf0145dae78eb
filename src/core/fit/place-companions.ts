// Fragments that stand beside another: they take room its page has left, best first, and never push anything out.
import type { Phrased } from '../model/wording.js';

export interface Company {
  readonly indices: readonly number[];
  /** Page of each placed wording; companions that find room are added. */
  readonly pageOf: Map<number, number>;
  /** What a page offers to everything that is spread. */
  readonly room: number;
}

/** Why each of the others stays out. */
export function placeCompanions(phrased: Phrased, company: Company): Map<number, string> {
  const { indices, pageOf, room } = company;
  const reasons = new Map<number, string>();
  if (indices.length === 0) return reasons;
  const { wordings, sections } = phrased;
  const byId = new Map<string, number>();
  const load = new Map<number, number>();
  const present = new Set<string>();
  const put = (index: number, page: number): void => {
    const { section } = wordings[index]?.fragment ?? { section: '' };
    load.set(page, (load.get(page) ?? 0) + (wordings[index]?.levels[0]?.weight() ?? 0));
    present.add(`${page} ${section}`);
  };
  wordings.forEach(({ fragment }, index) => {
    byId.set(fragment.id, index);
    const page = pageOf.get(index);
    if (page !== undefined) put(index, page);
  });
  const rankOf = (index: number) => wordings[index]?.fragment.rank ?? 0;
  for (const index of [...indices].sort((a, b) => rankOf(b) - rankOf(a) || a - b)) {
    const fragment = wordings[index]?.fragment;
    const page = pageOf.get(byId.get(fragment?.beside ?? '') ?? -1);
    if (fragment === undefined || page === undefined) {
      reasons.set(index, 'what it stands beside is not there');
      continue;
    }
    const price = sections.get(fragment.section);
    const isFirst = !present.has(`${page} ${fragment.section}`);
    const heading = isFirst ? (price?.weight ?? 0) + (price?.apart ?? 0) : 0;
    const weight = (wordings[index]?.levels[0]?.weight() ?? 0) + heading;
    if ((load.get(page) ?? 0) + weight > room) continue;
    put(index, page);
    load.set(page, (load.get(page) ?? 0) + heading);
    pageOf.set(index, page);
  }
  return reasons;
}
