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

export interface SteadyLayout {
  readonly fragments: readonly Fragment<LayerBody>[];
  readonly withheld: number;
}

export function steadyLayout(
  exact: PressedLayers,
  lane: LaneState,
  { scene, window }: { scene: Scene; window: AnchoredWindow | undefined },
): SteadyLayout {
  const kept = keptIds(exact.receipt);
  const shown = shownPassages(exact, lane, kept);
  const isBefore = ({ id }: Fragment) => id.startsWith(beforePrefix);
  const offered = exact.fragments.flatMap((fragment): Fragment<LayerBody>[] => {
    if (fragment.layer === 'settings') return kept.has(fragment.id) ? [fragment] : [];
    if (fragment.layer === 'retrieved') {
      const position = shown.get(fragment.id);
      return position === undefined ? [] : [{ ...fragment, position }];
    }
    return window !== undefined && isBefore(fragment) ? [] : [fragment];
  });
  if (window !== undefined) {
    const from = Math.max(scene.window.from, scene.indexed.unitAt(window.start));
    offered.push(...readText({ ...scene, window: { ...scene.window, from } }).filter(isBefore));
  }
  return { fragments: offered, withheld: Math.max(0, exact.fragments.length - offered.length) };
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
  const ranked = [...passages].sort((a, b) => b.rank - a.rank || a.position - b.position);
  const keep = passages.filter(({ id }) => kept.has(id)).length;
  const { ids } = stickySelect(
    lane.retrieved,
    ranked.map(({ id }) => id),
    { keep },
  );
  return new Map(ids.map((id, index) => [id, index]));
}
