// The shortest prefix of the concession list that fits. The walk goes from the far end, where everything is conceded, and
// takes concessions back while there is room: it finds the same prefix as a search from the front, and only what stays is priced.
import type { Concession } from '../model/concession.js';
import type { Phrased } from '../model/wording.js';
import { bringBack, giveUp, type Standing } from './standing.js';

export interface Retreat {
  /** How many concessions, counted from the front of the list, had to be made. */
  readonly made: number;
  /** Room for the head of a fragment whose cut is the last concession made. */
  readonly roomForHead?: number;
}

/** `standing` has every concession of the list made, and its weight worked out for that state. */
export function retreat(
  phrased: Phrased,
  standing: Standing,
  { list, limit }: { list: readonly Concession[]; limit: number },
): Retreat {
  for (let made = list.length; made > 0; made -= 1) {
    const concession = list[made - 1];
    if (concession === undefined) break;
    const cost = bringBack(standing, concession);
    if (standing.weight + cost <= limit) {
      standing.weight += cost;
      continue;
    }
    giveUp(standing, concession);
    if (concession.kind !== 'cut') return { made };
    const index = concession.members[0]?.index ?? -1;
    const between = phrased.sections.get(phrased.wordings[index]?.fragment.section ?? '')?.between ?? 0;
    const around = standing.headingCost(index) + between;
    return { made, roomForHead: limit - standing.weight - around };
  }
  return { made: 0 };
}
