// When something has to yield, how does the prompt stay like the one before? Passages already shown stay in their order, the
// text starts where it started until it no longer fits, and freed room is not filled with what would move everything behind it.
import type { Fragment } from '../../core/model/fragment.js';
import { type AnchoredWindow, anchoredWindow } from '../documents/anchored-window.js';
import type { LayerBody } from '../layers/layer-body.js';
import type { PressedLayers } from '../layers/press-layers.js';
import { beforePrefix, readText } from '../layers/read-text.js';
import type { Scene } from '../layers/scene.js';
import { stickySelect } from '../retrieval/sticky-select.js';
import { keptIds } from './kept-fragments.js';
import { anchorOf, type LaneState } from './lane.js';

const benefit = 2.5;
const slack = 30;

export interface SteadyLayout extends PressedLayers {
  readonly withheld: number;
  readonly window: AnchoredWindow | undefined;
}

/** `set` sets what it is given; what was shown before is held, so that the text makes room for it and not the other way round. */
export function steadyLayout(
  exact: PressedLayers,
  { lane, scene }: { lane: LaneState; scene: Scene },
  set: (fragments: readonly Fragment<LayerBody>[]) => PressedLayers,
): SteadyLayout {
  const held = heldFragments(exact, lane);
  const whole = set(held);
  const window = shortenedWindow(whole, lane, scene);
  const withheld = exact.fragments.length - held.length;
  if (window === undefined) return { ...whole, withheld, window };
  const isBefore = ({ id }: Fragment) => id.startsWith(beforePrefix);
  const from = Math.max(scene.window.from, scene.indexed.unitAt(window.start));
  const before = readText({ ...scene, window: { ...scene.window, from } }).filter(isBefore);
  const offered = [...held.filter((fragment) => !isBefore(fragment)), ...before];
  return { ...set(offered), withheld: Math.max(0, exact.fragments.length - offered.length), window };
}

function heldFragments(exact: PressedLayers, lane: LaneState): Fragment<LayerBody>[] {
  const kept = keptIds(exact.receipt);
  const shown = shownPassages(exact, lane, kept);
  return exact.fragments.flatMap((fragment): Fragment<LayerBody>[] => {
    if (fragment.layer === 'settings') return kept.has(fragment.id) ? [fragment] : [];
    if (fragment.layer !== 'retrieved') return [fragment];
    const position = shown.get(fragment.id);
    return position === undefined ? [] : [{ ...fragment, position, pinned: true }];
  });
}

/** Where the text before the cursor starts, if it had to be shortened. */
export function shortenedWindow(
  exact: PressedLayers,
  lane: LaneState | undefined,
  scene: Scene,
): AnchoredWindow | undefined {
  const kept = keptIds(exact.receipt);
  const before = exact.fragments.filter(({ id }) => id.startsWith(beforePrefix));
  const first = before.find(({ id }) => kept.has(id));
  if (first === undefined || first === before[0]) return undefined;
  const { indexed, window } = scene;
  const cursor = indexed.positionAt(window.start);
  const size = cursor - indexed.positionAt(first.position);
  return anchoredWindow(anchorOf(lane, scene.documentId), indexed, cursor, { size });
}

function shownPassages(
  exact: PressedLayers,
  lane: LaneState,
  kept: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const rejected = new Set(
    exact.receipt.ledger.filter(({ verdict }) => verdict === 'over-limit').map(({ fragment }) => fragment),
  );
  const passages = exact.fragments.filter(({ layer, id }) => layer === 'retrieved' && !rejected.has(id));
  const shown = new Set(lane.retrieved);
  // Similarity is a guess: a newcomer must be clearly better than what is there.
  const worth = ({ id, rank }: Fragment) => (shown.has(id) ? rank * benefit : rank);
  const ranked = [...passages].sort((a, b) => worth(b) - worth(a) || a.position - b.position);
  const fitting = passages.filter(({ id }) => kept.has(id)).length;
  const before = lane.retrieved.length;
  // Passages differ in size, so one more or less that would fit is no reason to change.
  const keep = fitting > 0 && Math.abs(fitting - before) <= 1 ? before : fitting;
  const { ids } = stickySelect(
    lane.retrieved,
    ranked.map(({ id }) => id),
    { keep, slack },
  );
  return new Map(ids.map((id, index) => [id, index]));
}
