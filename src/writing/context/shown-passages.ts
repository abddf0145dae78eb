// Which passages are shown, and in which order? Those shown before as long as they are worth it; then the better of old and
// new ones, the old in their order and the new behind them.

import { byCodePoint } from '../../core/model/code-points.js';
import type { Fragment, Ref } from '../../core/model/fragment.js';
import type { Hash } from '../../core/model/press.js';
import { type LayerBody, layerFragment } from '../layers/layer-fragment.js';
import { lineRangeOf } from '../layers/refs.js';
import { laterThan, type Scene } from '../layers/scene.js';
import { type PressedLayers, wholeIds } from './press-layers.js';
import type { HeldPassage } from './prompt-history.js';

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

interface WorthKeeping {
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

// Which pieces are shown, and in which order, so that a prefix cache keeps hitting? Score selects, arrival orders:
// a piece already shown stays while it ranks within keep + slack; new ones are appended behind.
interface StickyOptions {
  readonly keep: number;
  /** How far below the last kept rank a shown piece may fall. */
  readonly slack?: number;
}

interface StickySelection {
  /** In the order in which they are laid out. */
  readonly ids: readonly string[];
  /** Shown before and still shown. */
  readonly stayed: number;
  /** Names the selection and its order in a receipt. */
  digest(hash: Hash): string;
}

/** `ranked` is best first. Without a history the result is exactly the first `keep`, ordered by id. */
export function stickySelect(
  previousIds: readonly string[],
  ranked: readonly string[],
  options: StickyOptions,
): StickySelection {
  const keep = Math.max(0, Math.floor(options.keep));
  const rank = new Map<string, number>();
  for (const id of ranked) if (!rank.has(id)) rank.set(id, rank.size);
  const limit = keep + Math.max(0, options.slack ?? 4);
  const order = [...rank.keys()];
  const shown = new Set(previousIds);
  // The best half is shown whatever was shown before, so that stickiness never hides the best find.
  const best = order.slice(0, Math.ceil(keep / 2));
  const room = keep - best.filter((id) => !shown.has(id)).length;
  const stay = staying([...shown], rank, { keep: room, limit });
  const staid = new Set(stay);
  const fresh = order.filter((id) => !staid.has(id)).slice(0, keep - stay.length);
  const ids = [...stay, ...fresh.sort(byCodePoint)];
  return {
    ids,
    stayed: stay.length,
    digest: (hash) => hash(ids.map((id) => `${id.length}:${id}`).join('\n')),
  };
}

function staying(
  previous: readonly string[],
  rank: ReadonlyMap<string, number>,
  bounds: { readonly keep: number; readonly limit: number },
): string[] {
  const within = previous.filter((id) => (rank.get(id) ?? Number.POSITIVE_INFINITY) < bounds.limit);
  if (within.length <= bounds.keep) return within;
  const best = new Set([...within].sort((a, b) => rank.get(a)! - rank.get(b)!).slice(0, bounds.keep));
  return within.filter((id) => best.has(id));
}

// Passages that were shown and are no longer found. They may stay a while, but only word for word as their document has them:
// one whose document changed, was renamed or is gone is not held, nor one of the text at hand that is read anyway.
const chunkPrefix = 'chunk:';
/** Below everything that is found. */
const heldRank = 0;

/** What was offered, and behind it what was shown before and is still true. */
export function withHeldPassages(
  exact: PressedLayers,
  passages: readonly HeldPassage[],
  scene: Scene,
): PressedLayers {
  const offered = new Set(exact.fragments.map(({ id }) => id));
  const isLater = laterThan(scene);
  const mayBeTold = ({ id, text }: HeldPassage) =>
    (scene.later === 'marked' || !isLater(documentOf(id, scene))) && !scene.tellsSecret?.(text);
  const held = passages
    .filter((passage) => !offered.has(passage.id) && isTrue(passage, scene) && mayBeTold(passage))
    .map(({ id, title, text, ref }) =>
      layerFragment(scene.project, {
        id,
        source: 'retrieval',
        layer: 'retrieved',
        section: 'retrieved',
        rank: heldRank,
        position: 0,
        body: { kind: 'titled', title, text, isLater: isLater(documentOf(id, scene)) },
        ...(ref === undefined ? {} : { ref: refOf(id, ref, { text, scene }) }),
      }),
    );
  return held.length === 0 ? exact : { ...exact, fragments: [...exact.fragments, ...held] };
}

/** Found passages as they were shown. */
export function passagesToHold(fragments: readonly Fragment<LayerBody>[], scene: Scene): HeldPassage[] {
  return fragments.flatMap(({ id, section, levels, ref }) => {
    const body = levels[0]?.body;
    if (section !== 'retrieved' || body?.kind !== 'titled') return [];
    const document = isOwn(id, scene) ? '' : documentOf(id, scene)?.contentHash;
    if (document === undefined) return [];
    const { title, text } = body;
    return [{ id, title, text, document, ...(ref === undefined ? {} : { ref: placeOf(ref) }) }];
  });
}

function placeOf({ path, lines }: Ref): HeldPassage['ref'] {
  return lines === undefined ? { path } : { path, lines: { start: lines.start, end: lines.end } };
}

function isTrue({ id, title, text, document }: HeldPassage, scene: Scene): boolean {
  const entry = documentOf(id, scene);
  if (isOwn(id, scene)) return (entry?.title ?? '') === title && ownPlace(text, scene) >= 0;
  return entry !== undefined && entry.contentHash === document && entry.title === title;
}

/** Lines of the text at hand move with every edit; those of others are as they were. */
function refOf(
  id: string,
  { path, lines }: NonNullable<HeldPassage['ref']>,
  { text, scene }: { text: string; scene: Scene },
): Ref {
  if (!isOwn(id, scene)) return lines === undefined ? { path } : { path, lines };
  const at = ownPlace(text, scene);
  return { path, lines: lineRangeOf(scene.indexed.text, at, at + text.length) };
}

/** Before what is read of the text at hand. */
function ownPlace(text: string, { indexed, window }: Scene): number {
  const at = indexed.text.indexOf(text);
  return at + text.length <= window.from ? at : -1;
}

function isOwn(id: string, { documentId }: Scene): boolean {
  return nameIn(id) === documentId;
}

function documentOf(id: string, { entries = [] }: Scene) {
  return entries.find((entry) => entry.id === nameIn(id));
}

function nameIn(id: string): string | undefined {
  return id.startsWith(chunkPrefix) ? id.slice(chunkPrefix.length, id.lastIndexOf('#')) : undefined;
}
