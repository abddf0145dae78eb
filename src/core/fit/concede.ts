// Overflow answered by giving way: own lines first, then the shortest prefix of the list, then small pieces into leftover room.
import type { Concession } from '../model/concession.js';
import { type Meter, weightOf } from '../model/meter.js';
import type { Choice, Selection } from '../model/selection.js';
import type { Phrased } from '../model/wording.js';
import { concessionsOf } from './concession-list.js';
import type { FitOptions } from './fit-options.js';
import { infeasible } from './infeasible.js';
import { longestHead } from './longest-head.js';
import { keepOwnLines } from './own-line.js';
import { refill } from './refill.js';
import { retreat } from './retreat.js';
import { type Standing, standingOf } from './standing.js';

export function concede(phrased: Phrased, { recipe, meter, limit, lines }: FitOptions): Selection {
  const kept = keepOwnLines(phrased, { layers: recipe.layers, limit, lines });
  const overLine = kept.over;
  const list = fullList(phrased, { recipe, meter }).filter(
    ({ members }) => !members.some(({ index }) => overLine.has(index)),
  );
  const standing = barest(phrased, overLine, list);
  if (standing.weight > limit) throw infeasible(meter, standing.weight, limit);
  const { made, roomForHead } = retreat(phrased, standing, { list, limit });
  const cut = cutOf(phrased, list[made - 1], roomForHead, meter);
  const refilled =
    cut === undefined
      ? refill(phrased.wordings, standing, { list, made, layers: recipe.layers, limit })
      : new Set();

  const reasons = reasonsOf(recipe.layers);
  const choices = phrased.wordings.map((wording, index): Choice => {
    const level = standing.levels[index] ?? -1;
    if (overLine.has(index)) {
      return {
        wording,
        verdict: 'over-own-line',
        reason: `layer "${wording.fragment.layer}" keeps to its own line`,
      };
    }
    if (cut?.index === index)
      return { wording, level: 0, cutAt: cut.end, verdict: 'cut', reason: 'only its head fits' };
    if (level < 0) return { wording, verdict: 'conceded', reason: reasons.get(wording.fragment.layer) ?? '' };
    if (refilled.has(index) || kept.refilled.has(index))
      return { wording, level, verdict: 'refilled', reason: 'it fits into room left over' };
    if (level > 0) return { wording, level, verdict: 'stepped-down', reason: 'a fuller level does not fit' };
    return { wording, level, verdict: 'kept', reason: wording.fragment.pinned ? 'pinned' : 'it fits' };
  });
  return { choices, pages: 1, concessions: { made, offered: list.length } };
}

function fullList(phrased: Phrased, { recipe, meter }: Pick<FitOptions, 'recipe' | 'meter'>): Concession[] {
  const yielding = recipe.layers.filter((layer) => layer.turn !== undefined && !layer.ownLine);
  yielding.sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
  const lists = yielding.map((layer) =>
    concessionsOf(layer, phrased.wordings, weightOf(meter, layer.floor ?? 0)),
  );
  return ([] as Concession[]).concat(...lists);
}

/** Everything conceded: what leaves is gone, what steps stands at the level its last step leads to. */
function barest(phrased: Phrased, overLine: ReadonlySet<number>, list: readonly Concession[]): Standing {
  const levels = new Int32Array(phrased.wordings.length);
  for (const { kind, members } of list)
    if (kind === 'step') for (const { index, from } of members) levels[index] = from + 1;
  for (const { kind, members } of list)
    if (kind !== 'step') for (const { index } of members) levels[index] = gone;
  for (const index of overLine) levels[index] = gone;
  const stays: number[] = [];
  for (let index = 0; index < levels.length; index += 1) if (levels[index] !== gone) stays.push(index);
  return standingOf(phrased, stays, (index) => levels[index] ?? 0);
}

const gone = -1;

function cutOf(
  phrased: Phrased,
  concession: Concession | undefined,
  room: number | undefined,
  meter: Meter,
): { index: number; end: number } | undefined {
  if (concession === undefined || room === undefined) return undefined;
  const index = concession.members[0]?.index ?? -1;
  const text = phrased.wordings[index]?.levels[0]?.textAt(1) ?? '';
  const end = longestHead(text, room, meter);
  return end > 0 ? { index, end } : undefined;
}

function reasonsOf(layers: FitOptions['recipe']['layers']): Map<string, string> {
  return new Map(layers.map(({ id, manner }) => [id, `the budget is spent; layer "${id}" keeps ${manner}`]));
}
