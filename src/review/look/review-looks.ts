// Changes held open while somebody looks at them, so that a review can be set anew for another budget without reading its change again.
// A look is named by everything it depends on; who names one that is no longer held has the change read again.
import { resolve } from 'node:path';
import { hashText } from '../../meters/content-hash.js';
import { type OpenReviewOptions, openReview, type ReviewContext } from '../change/open-review.js';
import { createMemory } from '../change/recall.js';
import type { ReviewRequest } from '../change/review-request.js';

/** The fields of a request that say which change; the rest is turned while one looks. */
export type LookedAt = Pick<ReviewRequest, 'repo' | 'mode' | 'base' | 'head' | 'commit' | 'paths'>;

interface Held {
  readonly opened: ReviewContext;
  readonly name: string;
  /** One setting at a time: they share what they recall. */
  last: Promise<unknown>;
  idle?: NodeJS.Timeout;
  /** How often it was asked to be set. */
  asked: number;
  release(): Promise<void>;
}

export interface LookOptions {
  /** Changes held at once. */
  readonly most?: number;
  readonly idleMs?: number;
}

/** A program runs slowly until it ran for a while: a change that was just opened is set for other budgets, so long and so often. */
const rehearsal = { forMs: 800, times: 8, pauseMs: 60 };
/** One that takes this long is in the way of whoever comes next. */
const slowMs = 250;

/** Answers that each held change remembers: pieces, plans, neighbours of pages. */
const mostRecalled = 100;

export class ReviewLooks {
  readonly #held = new Map<string, Held>();
  /** On their way out. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #most: number;
  readonly #idleMs: number;

  constructor({ most = 2, idleMs = 120_000 }: LookOptions = {}) {
    this.#most = most;
    this.#idleMs = idleMs;
  }

  /** `named`: the look to go on with, while it is held. */
  async with<Result>(
    change: LookedAt,
    { named, ...options }: OpenReviewOptions & { readonly named?: string | undefined },
    work: (opened: ReviewContext, name: string) => Promise<Result>,
    rehearse?: (opened: ReviewContext, nth: number) => Promise<unknown>,
  ): Promise<Result> {
    const own = await this.#find(change, { named, ...options });
    own.asked += 1;
    const answer = own.last.then(() => {
      options.signal?.throwIfAborted();
      return work(own.opened, own.name);
    });
    own.last = answer.catch(() => {});
    if (own.asked === 1 && rehearse !== undefined)
      void answer.then(
        () => this.#rehearse(own, { set: (nth) => rehearse(own.opened, nth), spentMs: 0, nth: 0 }),
        () => undefined,
      );
    return answer;
  }

  /** The change read anew, and something told of it that waits for no setting. */
  async read<Result>(
    change: LookedAt,
    options: OpenReviewOptions,
    tell: (opened: ReviewContext, name: string) => Promise<Result>,
  ): Promise<Result> {
    const own = await this.#find(change, options);
    const answer = tell(own.opened, own.name);
    own.last = Promise.all([own.last, answer.catch(() => {})]);
    return answer;
  }

  /** The one that is named, while it is held; else the change as it is now. */
  async #find(
    change: LookedAt,
    { named, ...options }: OpenReviewOptions & { readonly named?: string | undefined },
  ): Promise<Held> {
    const folder = resolve(options.folder, change.repo);
    const keyOf = (name: string) => `${folder}\0${name}`;
    let held = named === undefined ? undefined : this.#held.get(keyOf(named));
    if (held === undefined) {
      const opened = await hold(change, { ...options, signal: undefined });
      held = this.#held.get(keyOf(opened.name));
      if (held === undefined) held = opened;
      else void this.#letGo(opened);
    }
    this.#touch(keyOf(held.name), held);
    return held;
  }

  /** Once more, as long as nobody turns anything. */
  #rehearse(
    held: Held,
    { set, spentMs, nth }: { set(nth: number): Promise<unknown>; spentMs: number; nth: number },
  ): void {
    if (nth === rehearsal.times || spentMs > rehearsal.forMs) return;
    setTimeout(() => {
      if (held.asked > 1 || ![...this.#held.values()].includes(held)) return;
      const begun = performance.now();
      held.last = held.last.then(() => set(nth)).catch(() => {});
      void held.last.then(() => {
        const tookMs = performance.now() - begun;
        if (tookMs < slowMs) this.#rehearse(held, { set, spentMs: spentMs + tookMs, nth: nth + 1 });
      });
    }, rehearsal.pauseMs).unref();
  }

  async close(): Promise<void> {
    const all = [...this.#held.keys()];
    await Promise.all(all.map((key) => this.#drop(key)));
    await Promise.all(this.#leaving);
  }

  #touch(key: string, held: Held): void {
    clearTimeout(held.idle);
    this.#held.delete(key);
    this.#held.set(key, held);
    held.idle = setTimeout(() => void this.#drop(key), this.#idleMs).unref();
    for (const oldest of [...this.#held.keys()].slice(0, -this.#most)) void this.#drop(oldest);
  }

  async #drop(key: string): Promise<void> {
    const held = this.#held.get(key);
    if (held === undefined) return;
    clearTimeout(held.idle);
    this.#held.delete(key);
    await held.last;
    await this.#letGo(held);
  }

  /** Nobody who waits for an answer waits for this. */
  async #letGo({ release }: Held): Promise<void> {
    const leaving = release().catch(() => {});
    this.#leaving.add(leaving);
    await leaving;
    this.#leaving.delete(leaving);
  }
}

/** The change stays open until it is released. */
async function hold(change: LookedAt, options: OpenReviewOptions): Promise<Held> {
  const memory = createMemory(mostRecalled);
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  let ended: Promise<void> = Promise.resolve();
  const opened = await new Promise<ReviewContext>((found, refused) => {
    ended = openReview(change as ReviewRequest, options, async (room) => {
      found({ ...room, recall: memory.recall, isHeld: true });
      await released;
    });
    ended.catch(refused);
  });
  return {
    ...{ opened, name: nameOf(opened), last: Promise.resolve(), asked: 0 },
    async release() {
      await memory.clear();
      release();
      await ended;
    },
  };
}

/** Trees are digests of every byte; what the index alone knows stands beside them. */
function nameOf({ change, config, request }: ReviewContext): string {
  const { mode, oldTree, newTree, baseCommit, headCommit, entries, unread, warnings } = change;
  const special = entries.filter(({ status, dirty }) => status === 'unmerged' || dirty === true);
  const sides = [mode, oldTree, newTree, baseCommit ?? '', headCommit ?? '', special, unread, warnings];
  return hashText(JSON.stringify([sides, config, request.base ?? '', request.paths ?? []])).slice(0, 32);
}
