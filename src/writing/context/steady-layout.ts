// When something has to yield, how does the prompt stay like the one before? What stands behind a change is not read from a
// cache, so changes are saved up: passages are chosen anew when Rules or Settings changed or the text has to hop, and the
// text hops when something before it changed anyway.
import type { Fragment } from '../../core/model/fragment.js';
import { hashText } from '../../meters/content-hash.js';
import { type AnchoredWindow, anchorAt, anchoredWindow } from '../documents/anchored-window.js';
import type { LayerBody } from '../layers/layer-fragment.js';
import { documentRef, lineRangeOf } from '../layers/refs.js';
import type { Scene } from '../layers/scene.js';
import { beforePrefix, readText } from '../sources/read-text.js';
import { marksAt, withReadMark } from './cache-marks.js';
import { isKept, keptIds, type PressedLayers, wholeIds } from './press-layers.js';
import {
  anchorOf,
  type HistoryAnchor,
  type PromptHistory,
  prefixChange,
  stablePrefix,
} from './prompt-history.js';
import {
  chooseAgain,
  leastWorth,
  passagesAsShown,
  passagesAtHop,
  passagesInOrder,
  passagesToHold,
  type ShownPassages,
  showsBest,
  withHeldPassages,
} from './shown-passages.js';

/** The part of the window that remains after a hop. */
const hopTo = 0.6;

export interface TextWindow extends AnchoredWindow {
  readonly anchor: HistoryAnchor;
}

export interface SteadyLayout extends PressedLayers {
  readonly withheld: number;
  readonly window: TextWindow | undefined;
}

interface SteadyOptions {
  readonly history: PromptHistory;
  readonly scene: Scene;
  /** Its id. */
  readonly dialect: string;
}

type SetFragments = (fragments: readonly Fragment<LayerBody>[]) => PressedLayers;

/** `set` sets what it is given; passages that are shown are held, so that the text makes room for them. */
export function steadyLayout(
  literal: PressedLayers,
  { history, scene, dialect }: SteadyOptions,
  set: SetFragments,
): SteadyLayout {
  const exact = withHeldPassages(literal, anchorOf(history, scene.documentId)?.passages ?? [], scene);
  const { held, whole, window, steady } = settle(exact, { history, scene, dialect }, set);
  const withheld = (offered: readonly unknown[]) => Math.max(0, exact.fragments.length - offered.length);
  if (window === undefined) return { ...whole, withheld: withheld(held), window };
  const from = Math.max(scene.window.from, scene.indexed.unitAt(window.start));
  const isNamed = exact.fragments.some(({ id, ref }) => id.startsWith(beforePrefix) && ref !== undefined);
  const before = readText({ ...scene, window: { ...scene.window, from } }).filter(isBefore);
  const known = steady ? anchorOf(history, scene.documentId) : undefined;
  const marked = withReadMark(before, known?.marks ?? [], { scene, from });
  const text = isNamed ? marked.fragments.map((fragment) => withTextRef(fragment, scene)) : marked.fragments;
  const offered = [...held.filter((fragment) => !isBefore(fragment)), ...text];
  const anchor: HistoryAnchor = {
    ...window.anchor,
    marks: marked.marks,
    passages: passagesToHold(held, scene),
  };
  return { ...set(offered), withheld: withheld(offered), window: { ...window, anchor } };
}

interface Settled {
  readonly held: readonly Fragment<LayerBody>[];
  readonly whole: PressedLayers;
  readonly window: AnchoredWindow | undefined;
  /** Nothing before the text changed, and the text starts where it started. */
  readonly steady: boolean;
}

type Held = Pick<Settled, 'held' | 'whole'> & { readonly room: TextRoom | undefined };

function settle(
  exact: PressedLayers,
  { history, scene, dialect }: SteadyOptions,
  set: SetFragments,
): Settled {
  const hold = (passages: ShownPassages): Held => {
    const held = heldFragments(exact, passages);
    const whole = set(held);
    return { held, whole, room: roomBefore(whole, scene) };
  };
  // A skill gets the text it asks for, and some more, so that it can grow for a while: where the text starts anew, passages that
  // would take it give way, the least of them first.
  const wanted = (scene.stretch?.least ?? 0) / hopTo;
  const holdBeside = (passages: ShownPassages): Held => {
    const found = hold(passages);
    const isShort = found.room !== undefined && found.room.size < wanted;
    return isShort && passages.size > 1 ? holdBeside(withoutLeast(exact, passages)) : found;
  };
  const gaveWay = scene.stretch !== undefined;
  const anchor = anchorOf(history, scene.documentId);
  if (!hasNewPrefix(exact, history, dialect)) {
    // The pen moves with every sentence, and a change costs the whole text: only a question is answered at once.
    const isAsked = scene.instruction !== '' || scene.window.end > scene.window.start;
    const isAnswered = !isAsked || showsBest(exact, history.retrieved);
    const shown = isAnswered
      ? passagesAsShown(exact, history.retrieved, { least: isAsked ? leastWorth : 0, gaveWay })
      : undefined;
    if (shown !== undefined) {
      const as = hold(shown);
      const window = as.room && windowIn(anchor, as.room, scene);
      if (window === undefined || window.moved === 'stayed')
        return { ...as, window, steady: window !== undefined };
      const other = holdBeside(passagesAtHop(exact, history.retrieved, gaveWay));
      return { ...other, window: hopped(anchor, other.room, scene), steady: false };
    }
    const other = holdBeside(chooseAgain(exact, history.retrieved));
    return { ...other, window: hopped(anchor, other.room, scene), steady: false };
  }
  const fresh = holdBeside(passagesInOrder(exact));
  return { ...fresh, window: hopped(anchor, fresh.room, scene), steady: false };
}

/** Everything behind a change is sent anew, so a hop costs nothing now and would cost much soon. */
function hopped(
  anchor: HistoryAnchor | undefined,
  room: TextRoom | undefined,
  scene: Scene,
): AnchoredWindow | undefined {
  if (room === undefined) return undefined;
  const { cursor, size } = room;
  const window = windowIn(anchor, room, scene);
  if (window.moved !== 'stayed' || cursor - window.start <= hopTo * size) return window;
  const start = { cursor, size: Math.floor(size * hopTo) };
  return {
    ...withLeast(anchoredWindow(undefined, scene.indexed, cursor, start), room, scene),
    moved: 'hopped',
  };
}

interface TextRoom {
  readonly cursor: number;
  /** In code points. */
  readonly size: number;
}

function windowIn(anchor: HistoryAnchor | undefined, room: TextRoom, scene: Scene): AnchoredWindow {
  const { cursor, size } = room;
  return withLeast(anchoredWindow(anchor, scene.indexed, cursor, { size, hopTo }), room, scene);
}

/** A skill that says how much text it needs never gets less because a paragraph begins later. */
function withLeast(
  window: AnchoredWindow,
  { cursor, size }: TextRoom,
  { stretch, indexed }: Scene,
): AnchoredWindow {
  const latest = Math.max(0, cursor - Math.min(size, stretch?.least ?? 0));
  if (window.start <= latest) return window;
  return { ...window, start: latest, anchor: anchorAt(indexed, latest) };
}

function hasNewPrefix(exact: PressedLayers, history: PromptHistory, dialect: string): boolean {
  const { lines } = stablePrefix(exact.layout.set(0), exact.fragments, { dialect, hash: hashText });
  return prefixChange(history.lines, lines) !== undefined;
}

function heldFragments(exact: PressedLayers, shown: ShownPassages): Fragment<LayerBody>[] {
  const kept = keptIds(exact);
  return exact.fragments.flatMap((fragment): Fragment<LayerBody>[] => {
    const { layer, section } = fragment;
    if (layer !== 'settings' && layer !== 'retrieved') return [fragment];
    // Only passages come and go; the story and summaries are there or not. Were the story to give way line by line before the
    // text hops, everything behind it would be sent anew each time.
    if (section !== 'retrieved')
      return kept.has(fragment.id) ? [section === 'story' ? { ...fragment, pinned: true } : fragment] : [];
    const position = shown.get(fragment.id);
    if (position !== undefined) return [{ ...fragment, position, pinned: true }];
    // Where not even one fits whole, the telling part of the best is better than none.
    return shown.size === 0 && kept.has(fragment.id) ? [fragment] : [];
  });
}

function withoutLeast({ fragments }: PressedLayers, shown: ShownPassages): ShownPassages {
  const rankOf = new Map(fragments.map(({ id, rank }) => [id, rank]));
  const least = [...shown.keys()].reduce((worst, id) =>
    (rankOf.get(id) ?? 0) < (rankOf.get(worst) ?? 0) ? id : worst,
  );
  return new Map([...shown].filter(([id]) => id !== least));
}

/** Where the text before the cursor starts, if it had to be shortened or a skill says how long it is. */
export function shortenedWindow(
  exact: PressedLayers,
  history: PromptHistory | undefined,
  scene: Scene,
): TextWindow | undefined {
  const room = roomBefore(exact, scene);
  if (room === undefined) return undefined;
  const anchor = anchorOf(history, scene.documentId);
  const window =
    scene.stretch === undefined ? windowIn(anchor, room, scene) : shownWindow(exact, room.cursor, scene);
  const from = scene.indexed.unitAt(window.start);
  const marks = marksAt(
    exact.fragments.filter((fragment) => isBefore(fragment) && fragment.breakpoint === true),
    {
      scene,
      from,
    },
  );
  const whole = wholeIds(exact);
  const passages = passagesToHold(
    exact.fragments.filter(({ id }) => whole.has(id)),
    scene,
  );
  return { ...window, anchor: { ...window.anchor, marks, passages } };
}

function shownWindow(exact: PressedLayers, cursor: number, { indexed }: Scene): AnchoredWindow {
  const kept = keptIds(exact);
  const first = exact.fragments.find((fragment) => isBefore(fragment) && kept.has(fragment.id));
  const start = first === undefined ? cursor : indexed.positionAt(first.position);
  return { anchor: anchorAt(indexed, start), start, end: cursor, moved: 'first' };
}

/** Code points of text for which there is room, if not for all; never more than a skill may ask for. */
function roomBefore(set: PressedLayers, { indexed, window, stretch }: Scene): TextRoom | undefined {
  const before = set.layout.choices.filter(({ wording }) => isBefore(wording.fragment));
  const first = before.find(isKept);
  if (first === undefined) return undefined;
  const cursor = indexed.positionAt(window.start);
  if (first === before[0]) return stretch === undefined ? undefined : { cursor, size: stretch.most };
  const size = cursor - indexed.positionAt(first.wording.fragment.position);
  return { cursor, size: Math.min(size, stretch?.most ?? size) };
}

function withTextRef(fragment: Fragment<LayerBody>, { documentId, indexed }: Scene): Fragment<LayerBody> {
  const body = fragment.levels[0]?.body;
  const to = fragment.position + (body?.kind === 'passage' ? body.text.length : 0);
  return { ...fragment, ref: documentRef(documentId, lineRangeOf(indexed.text, fragment.position, to)) };
}

function isBefore({ id }: Fragment): boolean {
  return id.startsWith(beforePrefix);
}
