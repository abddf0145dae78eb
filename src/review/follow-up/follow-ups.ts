// A reviewer that asks is answered in the next message of the same conversation: so often, and with so many tokens, as was allowed.
import { extend } from '../../core/extend.js';
import type { Meter } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { hashText } from '../../meters/content-hash.js';
import { shownByDiff } from '../context/gather-context.js';
import type { AskedRequest } from '../findings/answer-extras.js';
import type { UnitsByPath } from '../plan/plan-review.js';
import type { ChangedFile } from '../units/changed-file.js';
import type { ShownRange } from '../units/snippet.js';
import { frameTokens, nextMessage, servedMessage } from './next-message.js';
import type { ServeRequests } from './serve-requests.js';

/** Served for one page unless told otherwise, and never more than the page itself weighs. */
export const usualFollowUpTokens = 8_000;

/** Kept free for findings that are shown again. */
const findingTokens = 1_000;

/** A page as far as its reviewer has come. */
export interface SaidSoFar {
  /** What was sent last. */
  readonly sealed: SealedPrompt;
  /** What was answered to it. */
  readonly text: string;
  readonly requests: readonly AskedRequest[];
}

interface AskingPage {
  readonly tokens: number;
  readonly pieces: readonly { readonly path: string }[];
  readonly context: readonly ShownRange[];
}

export interface NextQuestion {
  readonly sealed: SealedPrompt;
  /** What is said beside the answer before. */
  readonly words: string;
  /** Tokens that were served. */
  readonly served: number;
}

export interface FollowUps {
  /** Of one page; 0 where the reviewer is not told that it may ask. */
  readonly most: number;
  /** Undefined where nothing may be served any more. */
  next(
    page: AskingPage,
    before: SaidSoFar,
    so: { readonly round: number; readonly served: number },
  ): Promise<NextQuestion | undefined>;
}

interface FollowUpOptions {
  readonly most: number;
  /** Tokens served for one page. */
  readonly tokens: number | undefined;
  readonly meter: Meter;
  readonly serve: ServeRequests;
  readonly units: UnitsByPath;
  readonly files: readonly ChangedFile[];
  /** Tokens a prompt of the model may have, where that is known. */
  readonly capacity: number | undefined;
  /** Tokens kept free for a second question about an answer. */
  readonly again: number;
  /** Whether the model takes messages. */
  readonly turns: boolean;
  /** Whether another call follows, so that a provider should keep this one. */
  readonly isContinued: boolean;
}

export function followUpsOf(options: FollowUpOptions): FollowUps {
  const { most, meter, serve, units, files, turns } = options;
  const { capacity = Number.POSITIVE_INFINITY } = options;
  return {
    most,
    async next(page, { sealed, text, requests }, { round, served: before }) {
      const { budget, used } = sealed.receipt;
      const around = Math.ceil(meter.weigh(text) / meter.scale) + frameTokens;
      const allowed = (options.tokens ?? Math.min(usualFollowUpTokens, page.tokens)) - before;
      // Another such answer, and its findings shown again, should still find room.
      const later = options.isContinued ? around + findingTokens : 0;
      const room = Math.min(allowed, capacity - used.n - around - options.again - later);
      if (room < 1) return undefined;
      const paths = new Set(page.pieces.map(({ path }) => path));
      const found = await serve(requests, {
        ...{ room, round },
        units: [...paths].flatMap((path) => units.get(path) ?? []),
        shown: [...page.context, ...shownByDiff(files.filter(({ patch }) => paths.has(patch.entry.path)))],
      });
      const message = servedMessage(found, { round, again: round < most });
      const next = extend(sealed, nextMessage(text, message, { turns, round }), {
        ...{ meter, hash: hashText, rejections: found.refused },
        budget: Math.min(capacity, budget.n + around + room),
        breakpoint: options.isContinued,
      });
      return {
        sealed: next,
        words: message.map(({ words }) => words).join(''),
        served: found.served.reduce((sum, { tokens }) => sum + tokens, 0),
      };
    },
  };
}
