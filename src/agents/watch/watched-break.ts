// Why a request could not go on from the prefix of the one before: what differs between the two, or that nothing does and the provider
// did not have it any more; and what was dropped on the way.
import type { Usage } from '../../models/contract/model.js';
import { breakBetween } from '../sessions/request-record.js';
import type { SessionPart } from '../sessions/session-log.js';
import type { BrokenBlock, RequestComparison, WatchedCause } from './compare-requests.js';
import type { Conversation } from './conversations.js';
import type { ModelRequestBody, RequestBlock } from './request-blocks.js';
import { type BlockWeigher, sum } from './weigh-blocks.js';

export interface DroppedMessages {
  readonly messages: number;
  readonly tokens: number;
  readonly of: Readonly<Partial<Record<SessionPart, number>>>;
}

export interface WatchedBreak {
  readonly request: number;
  readonly conversation: number;
  readonly at: number;
  readonly cause: WatchedCause;
  readonly block?: BrokenBlock;
  /** Of the request before, what is the same up to the first difference; and what had to be read again. */
  readonly sameTokens: number;
  readonly againTokens: number;
  readonly dropped?: DroppedMessages;
}

/** A request as it was asked, beside the one before in its conversation. */
export interface AskedRequest {
  readonly number: number;
  readonly at: number;
  readonly body: ModelRequestBody;
  readonly conversation: Conversation;
  readonly before?: ModelRequestBody | undefined;
  readonly comparison?: RequestComparison | undefined;
}

/** What the request before used. */
export interface EarlierUsage {
  readonly usage: Usage;
  readonly at: number;
  readonly model: string;
}

interface BreakSources {
  readonly usage: Usage | undefined;
  readonly tokens: readonly number[];
  readonly earlier: EarlierUsage | undefined;
  readonly weigher: BlockWeigher;
  show(path: string): string;
}

export async function watchedBreak(
  { number, at, body, conversation, before, comparison }: AskedRequest,
  { usage, tokens, earlier, weigher, show }: BreakSources,
): Promise<WatchedBreak | undefined> {
  if (before === undefined || comparison === undefined) return undefined;
  const old = await weigher.weigh(before, earlier?.usage);
  const sameTokens = Math.round(sum(tokens.slice(0, comparison.same)));
  const told = { request: number, conversation: conversation.number, at };
  const { cause, block, dropped } = comparison;
  if (cause !== undefined) {
    const weightOf = new Map(before.blocks.map(({ hash }, index) => [hash, old[index] ?? 0]));
    return {
      ...told,
      cause,
      ...(block === undefined ? {} : { block: shownBlock(block, show) }),
      sameTokens,
      againTokens: Math.max(0, Math.round(sum(old)) - sameTokens),
      ...(dropped.length === 0 ? {} : { dropped: droppedOf(dropped, weightOf) }),
    };
  }
  if (earlier === undefined || usage === undefined) return undefined;
  const lost = breakBetween({ id: '', ...earlier }, { id: '', model: body.model, usage, at }, undefined);
  if (lost === undefined) return undefined;
  return {
    ...told,
    cause: lost.cause === 'expired' ? 'expired' : 'provider',
    sameTokens: lost.cachedTokens,
    againTokens: Math.max(0, lost.keptTokens - lost.cachedTokens),
  };
}

function shownBlock(block: BrokenBlock, show: (path: string) => string): BrokenBlock {
  const { tool, target, ...rest } = block;
  return {
    ...rest,
    ...(tool === undefined ? {} : { tool }),
    ...(target === undefined ? {} : { target: show(target) }),
  };
}

function droppedOf(dropped: readonly RequestBlock[], weightOf: ReadonlyMap<string, number>): DroppedMessages {
  const of: Partial<Record<SessionPart, number>> = {};
  for (const { part, hash } of dropped) of[part] = (of[part] ?? 0) + (weightOf.get(hash) ?? 0);
  return {
    messages: new Set(dropped.map(({ number }) => number)).size,
    tokens: Math.round(sum(Object.values(of))),
    of: Object.fromEntries(Object.entries(of).map(([part, weight]) => [part, Math.round(weight)])),
  };
}
