// What stands in the conversation now. Texts are held until they are weighed, and only as many as any window could take: what
// lies beyond is known by its length alone, so that a session of any size takes the same memory.
import type { SessionItem, SessionPart } from './session-log.js';

/** Twice the largest window there is. */
const maxHeld = 8_000_000;
const maxEntries = 50_000;

export interface WindowEntry {
  readonly part: SessionPart;
  readonly tool?: string | undefined;
  readonly target?: string | undefined;
  readonly key?: string | undefined;
  /** In UTF-16 units. */
  readonly length: number;
  readonly text: string;
}

/** What many entries weigh that were too many to be held one by one. */
export interface UnheldPart {
  readonly part: SessionPart;
  length: number;
  items: number;
}

export interface SessionWindow {
  readonly entries: readonly WindowEntry[];
  readonly unheld: readonly UnheldPart[];
  /** How often what stands here was replaced: positions are good for one such time. */
  readonly generation: number;
  /** Where the answer of the model begins that was added last. */
  readonly answerStart: number;
  add(item: SessionItem): void;
  replace(kept: ReadonlySet<string>): void;
  /** Whether anything had to go. */
  cutBehind(key: string | undefined): boolean;
  remove(key: string): void;
}

const byModel: ReadonlySet<SessionPart> = new Set<SessionPart>(['assistant', 'reasoning', 'call']);

export function createSessionWindow(): SessionWindow {
  let entries: WindowEntry[] = [];
  let unheld: UnheldPart[] = [];
  let held = 0;
  let generation = 0;
  let answerStart = 0;
  /** The last entry of each key; a key that is not held is asked for as often as others. */
  const lastOf = new Map<string, number>();
  const place = (from: number) => {
    for (let at = from; at < entries.length; at += 1) {
      const { key } = entries[at] as WindowEntry;
      if (key !== undefined) lastOf.set(key, at);
    }
  };
  /** Everything from there on, or the next few. */
  const drop = (from: number, count = entries.length) => {
    for (const { key, length } of entries.splice(from, count)) {
      held -= length;
      if (key !== undefined) lastOf.delete(key);
    }
    place(from);
    answerStart = Math.min(answerStart, entries.length);
  };
  const addUnheld = (part: SessionPart, length: number) => {
    let sum = unheld.find((one) => one.part === part);
    if (sum === undefined) {
      sum = { part, length: 0, items: 0 };
      unheld.push(sum);
    }
    sum.length += length;
    sum.items += 1;
  };
  return {
    get entries() {
      return entries;
    },
    get unheld() {
      return unheld;
    },
    get generation() {
      return generation;
    },
    get answerStart() {
      return answerStart;
    },
    add({ part, text, tool, target, key }) {
      const { length } = text;
      if (held + length > maxHeld || entries.length >= maxEntries) return addUnheld(part, length);
      const previous = entries.at(-1);
      if (byModel.has(part) && (previous === undefined || !byModel.has(previous.part)))
        answerStart = entries.length;
      held += length;
      if (key !== undefined) lastOf.set(key, entries.length);
      entries.push({ part, tool, target, key, length, text });
    },
    replace(kept) {
      generation += 1;
      unheld = [];
      entries = entries.filter(({ key }) => key !== undefined && kept.has(key));
      lastOf.clear();
      place(0);
      held = entries.reduce((sum, { length }) => sum + length, 0);
      answerStart = 0;
    },
    cutBehind(key) {
      const at = key === undefined ? -1 : (lastOf.get(key) ?? -1);
      if ((key !== undefined && at < 0) || at === entries.length - 1) return false;
      generation += 1;
      if (key === undefined) unheld = [];
      drop(at + 1);
      return true;
    },
    remove(key) {
      const last = lastOf.get(key) ?? -1;
      let first = last;
      while (first > 0 && entries[first - 1]?.key === key) first -= 1;
      if (last >= 0) drop(first, last - first + 1);
    },
  };
}
