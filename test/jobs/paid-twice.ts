// Which prompts were paid for twice beyond what a kill excuses: by who asked for each and when, who was killed and when, and which
// answers the store has. Nothing here says how long storing may take.
import type { StoredAnswers } from './stored-answers.js';

export interface Asked {
  /** Of all calls. */
  readonly nth: number;
  /** The number of the process that asked. */
  readonly by: number;
  readonly from: number;
  to: number;
}

export interface Disruption {
  readonly from: number;
  readonly to: number;
  /** The number of the process that was killed; undefined when it was the store, which strikes all of them. */
  readonly killed?: number;
}

export type Stored = Awaited<ReturnType<StoredAnswers['all']>>;

/** A call reaches its provider so long after it was made, at most: whoever made it may be killed meanwhile. */
const onItsWayMs = 300;

export function strikes(
  { killed, from, to }: Disruption,
  { by, from: asked }: Asked,
  until: number,
): boolean {
  return (killed === undefined || killed === by) && to >= asked - onItsWayMs && from <= until;
}

/** The kill or restart by which the answer of a call was not there when the next one was made. */
function excuse(one: Asked, next: Asked, struck: readonly Disruption[], stored: Stored) {
  const storedAt = stored.get(one.nth);
  return struck.find((each) =>
    each.killed === undefined
      ? strikes(each, one, Math.min(next.from, storedAt ?? next.from))
      : storedAt === undefined && strikes(each, one, next.from),
  );
}

/** For each such prompt: who asked for it and when, when that was stored, and which kill of theirs came next. */
export function paidTwice(
  asked: ReadonlyMap<string, readonly Asked[]>,
  struck: readonly Disruption[],
  stored: Stored,
  begun: number,
): readonly string[] {
  const seconds = (at: number) => ((at - begun) / 1000).toFixed(2);
  const told = (one: Asked) => {
    const at = stored.get(one.nth);
    const next = struck.find((each) => strikes(each, one, Number.POSITIVE_INFINITY));
    const end = next === undefined ? 'not struck' : `struck at ${seconds(next.from)}`;
    return `${one.by}: ${seconds(one.from)}–${seconds(one.to)}, ${at === undefined ? 'not stored' : `stored at ${seconds(at)}`}, ${end}`;
  };
  return [...asked.values()]
    .map((times) => [...times].sort((one, other) => one.from - other.from))
    .filter((times) =>
      times.slice(1).some((next, at) => excuse(times[at] as Asked, next, struck, stored) === undefined),
    )
    .map((times) => times.map(told).join('; '));
}

/** The longest that an answer was there and not stored, its process alive. */
export function slowestStoring(
  asked: ReadonlyMap<string, readonly Asked[]>,
  struck: readonly Disruption[],
  stored: Stored,
): number {
  const waits = [...asked.values()].flat().map((one) => {
    const ends = struck.filter(
      (each) => each.killed !== undefined && strikes(each, one, Number.POSITIVE_INFINITY),
    );
    return (stored.get(one.nth) ?? ends[0]?.from ?? one.to) - one.to;
  });
  return Math.max(0, ...waits);
}
