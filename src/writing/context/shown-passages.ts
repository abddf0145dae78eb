// Which passages are shown, and in which order? Those shown before as long as they are worth it; then the better of old and
// new ones, the old in their order and the new behind them.
import type { Fragment } from '../../core/model/fragment.js';
import type { LayerBody } from '../layers/layer-body.js';
import { type PressedLayers, wholeIds } from '../layers/press-layers.js';
import { stickySelect } from '../retrieval/sticky-select.js';
import { heldRank } from './held-passages.js';

/** Fragment ids in their order, each with its place. */
export type ShownPassages = ReadonlyMap<string, number>;

/** How far below the last that fits a passage may rank and still stay. */
const slack = 30;
/** Passages differ in size, so one or two more or less that would fit are no reason to change. */
const fewMore = 2;
/** Below this part of what the best passages are worth for a question, those shown before have outlived their use. */
export const leastWorth = 0.25;
/** From this part on they are as good as new, and a hop of the text is no reason to change them. */
const goodWorth = 0.6;

/** Exactly those that fit, in reading order. */
export function passagesInOrder(exact: PressedLayers): ShownPassages {
  const kept = wholeIds(exact);
  return placed(
    candidates(exact)
      .filter(({ id }) => kept.has(id))
      .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id),
  );
}

export interface WorthKeeping {
  /** The part of what the best passages are worth below which those shown before have outlived their use. */
  readonly least: number;
  /** Whether passages gave way to the text: then few are no reason to choose again. */
  readonly gaveWay: boolean;
}

/** The passages of the request before, unless one is gone or they have become too weak or too many. */
export function passagesAsShown(
  exact: PressedLayers,
  before: readonly string[],
  { least, gaveWay }: WorthKeeping,
): ShownPassages | undefined {
  const kept = wholeIds(exact);
  const ranks = new Map(candidates(exact).map(({ id, rank }) => [id, rank]));
  const fitting = [...ranks.keys()].filter((id) => kept.has(id));
  const isFull = exact.layout.choices.some(
    ({ wording, verdict }) =>
      wording.fragment.section === 'retrieved' && (verdict === 'conceded' || verdict === 'stepped-down'),
  );
  // Where few were found, their number says nothing about the room there is.
  const tooMany = isFull && before.length > fitting.length + fewMore;
  const tooFew = !gaveWay && before.length < fitting.length - fewMore;
  if (tooMany || tooFew || before.some((id) => !ranks.has(id))) return undefined;
  const worth = (ids: readonly string[]) => ids.reduce((sum, id) => sum + (ranks.get(id) ?? 0), 0);
  return worth(before) < least * worth(fitting) ? undefined : placed(before);
}

/** Whether the best of those that fit was shown before. */
export function showsBest(exact: PressedLayers, before: readonly string[]): boolean {
  const kept = wholeIds(exact);
  const [best] = candidates(exact)
    .filter(({ id }) => kept.has(id))
    .sort((a, b) => b.rank - a.rank || a.position - b.position);
  return best === undefined || before.includes(best.id);
}

/** The text hops anyway: passages change unless they are nearly as good as the best. */
export function passagesAtHop(
  exact: PressedLayers,
  before: readonly string[],
  gaveWay: boolean,
): ShownPassages {
  return passagesAsShown(exact, before, { least: goodWorth, gaveWay }) ?? chooseAgain(exact, before);
}

/** Passages may change now, but those in front that stay need not be sent again. */
export function chooseAgain(exact: PressedLayers, before: readonly string[]): ShownPassages {
  const kept = wholeIds(exact);
  const passages = candidates(exact);
  const ranked = [...passages].sort((a, b) => b.rank - a.rank || a.position - b.position);
  const fitting = passages.filter(({ id }) => kept.has(id)).length;
  const isClose = before.length > 0 && fitting > 0 && Math.abs(fitting - before.length) <= 1;
  const keep = isClose ? before.length : fitting;
  const { ids } = stickySelect(
    before,
    ranked.map(({ id }) => id),
    { keep, slack },
  );
  return placed(ids);
}

/** Those that were let in to compete, and those that were shown before and are no longer found. */
function candidates({ fragments, layout }: PressedLayers): Fragment<LayerBody>[] {
  const competed = new Set(layout.choices.map(({ wording }) => wording.fragment.id));
  return fragments.filter(
    ({ section, id, rank }) => section === 'retrieved' && (competed.has(id) || rank === heldRank),
  );
}

function placed(ids: readonly string[]): ShownPassages {
  return new Map(ids.map((id, index) => [id, index]));
}
