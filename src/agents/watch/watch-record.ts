// What is known of the requests that passed: what filled each, what broke its prefix, what it used. A request is held until it is
// weighed, and the last of each conversation until the next one has been compared with it; headers never come here.
import { loadMeter } from '../../meters/load-meter.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import { parseEvent } from '../../models/answer/json-fields.js';
import { type Catalog, rowFor } from '../../models/catalog/catalog.js';
import type { Usage } from '../../models/contract/model.js';
import { type HeavyItem, heaviestOf, sharesOf, type WindowShare } from '../sessions/inspect-session.js';
import { breakBetween, createRequestRecord, type ModelCost } from '../sessions/request-record.js';
import type { SessionPart } from '../sessions/session-log.js';
import {
  type BrokenBlock,
  compareRequests,
  type RequestComparison,
  type WatchedCause,
} from './compare-requests.js';
import { type Conversation, createConversations } from './conversations.js';
import { usageReader } from './reported-usage.js';
import { type ModelRequestBody, protocolOf, type RequestBlock, readRequestBody } from './request-blocks.js';
import type { ExchangeEnding, ExchangeListener } from './watch-proxy.js';

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

export interface WatchedRequest {
  /** One-based, in the order in which they were asked. */
  readonly number: number;
  readonly conversation: number;
  readonly at: number;
  readonly model: string;
  readonly bytes: number;
  /** Absent where nobody answered. */
  readonly status?: number;
  readonly ending: ExchangeEnding;
  readonly tokens: number;
  readonly shares: readonly WindowShare[];
  /** As the provider reports it. */
  readonly usage?: Usage;
  readonly broke?: WatchedBreak;
}

/** A request with its blocks, for whoever wants to keep them: those behind what it shares with the one before. */
export interface SettledRequest extends WatchedRequest {
  readonly sameBlocks: number;
  readonly blocks: readonly (RequestBlock & { readonly tokens: number })[];
}

export interface WatchedConversation {
  readonly number: number;
  readonly model: string;
  readonly requests: number;
  /** Of its last request. */
  readonly tokens: number;
  readonly windowTokens?: number;
  readonly shares: readonly WindowShare[];
  readonly heaviest: readonly HeavyItem[];
}

export interface WatchReport {
  readonly requests: number;
  /** Those of late, oldest first. */
  readonly newest: readonly WatchedRequest[];
  readonly conversations: readonly WatchedConversation[];
  readonly breaks: readonly WatchedBreak[];
  readonly breakCount: number;
  readonly costs: readonly ModelCost[];
  /** What was asked for beside answers of a model. */
  readonly others: readonly { readonly what: string; readonly count: number }[];
  /** What did not end well: by status, or by the code of the platform. */
  readonly failures: readonly { readonly what: string; readonly count: number }[];
  /** Requests whose body could not be read: too large, or in a form nobody here knows. */
  readonly unread: number;
  readonly meters: readonly string[];
  readonly exact: boolean;
}

export interface WatchRecordOptions {
  readonly catalog: Catalog;
  readonly clock: () => number;
  show(path: string): string;
  onRequest?(request: SettledRequest): void;
}

export interface WatchRecord {
  listen(request: { readonly method: string; readonly path: string }): ExchangeListener;
  finish(): Promise<WatchReport>;
}

const maxListed = 500;
const maxWeights = 200_000;

interface Asked {
  readonly number: number;
  readonly at: number;
  readonly bytes: number;
  readonly body: ModelRequestBody;
  readonly conversation: Conversation;
  readonly before?: ModelRequestBody | undefined;
  readonly comparison?: RequestComparison | undefined;
}

interface Answered {
  readonly status?: number | undefined;
  readonly ending: ExchangeEnding;
  readonly usage?: Usage | undefined;
}

export function createWatchRecord(options: WatchRecordOptions): WatchRecord {
  const conversations = createConversations();
  const costs = createRequestRecord(options.catalog);
  const newest: WatchedRequest[] = [];
  const breaks: WatchedBreak[] = [];
  const seen = new Map<number, WatchedConversation>();
  const used = new Map<number, { usage: Usage; at: number; model: string }>();
  const others = tally();
  const failures = tally();
  const weigher = createWeigher();
  let requests = 0;
  let unread = 0;
  let breakCount = 0;
  let work: Promise<void> = Promise.resolve();

  const ask = (protocol: NonNullable<ReturnType<typeof protocolOf>>, path: string, bytes: Buffer) => {
    const parsed = parseEvent(bytes.toString('utf8'));
    if (parsed === undefined) return undefined;
    const body = readRequestBody(protocol, parsed, path);
    const { conversation, before } = conversations.take(body);
    requests += 1;
    const comparison = before === undefined ? undefined : compareRequests(before, body);
    const at = options.clock();
    return { number: requests, at, bytes: bytes.length, body, conversation, before, comparison };
  };

  const settle = async (asked: Asked, { status, ending, usage }: Answered) => {
    const { number, at, bytes, body, conversation, comparison } = asked;
    const { model, blocks } = body;
    const tokens = await weigher.weigh(body, usage);
    // Settings are compared, but nobody reads them.
    const isRead = (_: unknown, index: number) => blocks[index]?.section !== 'settings';
    const read = { blocks: blocks.filter(isRead), tokens: tokens.filter(isRead) };
    const shares = sharesOf(read.blocks, { tokens: read.tokens, unheld: [] }, undefined).filter(
      (share) => share.tokens > 0,
    );
    const total = Math.round(sum(tokens));
    const broke = await breakOf(asked, usage, tokens);
    if (usage !== undefined) {
      costs.add({ id: String(number), model, usage, at, isHelper: true }, { until: 0, generation: 0 });
      used.set(conversation.number, { usage, at, model });
    }
    if (broke !== undefined) {
      breakCount += 1;
      breaks.push(broke);
      if (breaks.length > maxListed) breaks.shift();
    }
    const request: WatchedRequest = {
      number,
      conversation: conversation.number,
      at,
      model,
      bytes,
      ...(status === undefined ? {} : { status }),
      ending,
      tokens: total,
      shares,
      ...(usage === undefined ? {} : { usage }),
      ...(broke === undefined ? {} : { broke }),
    };
    newest.push(request);
    if (newest.length > maxListed) newest.shift();
    const windowTokens = rowFor(model, options.catalog)?.window;
    seen.set(conversation.number, {
      number: conversation.number,
      model,
      requests: (seen.get(conversation.number)?.requests ?? 0) + 1,
      tokens: usage?.inputTokens ?? total,
      ...(windowTokens === undefined ? {} : { windowTokens }),
      shares,
      heaviest: heaviestOf(read.blocks, read.tokens, options.show),
    });
    const sameBlocks = comparison?.same ?? 0;
    const weighed = blocks.map((block, index) => ({ ...block, tokens: Math.round(tokens[index] ?? 0) }));
    options.onRequest?.({ ...request, sameBlocks, blocks: weighed.slice(sameBlocks) });
  };

  const breakOf = async (
    { number, at, body, conversation, before, comparison }: Asked,
    usage: Usage | undefined,
    tokens: readonly number[],
  ): Promise<WatchedBreak | undefined> => {
    if (before === undefined || comparison === undefined) return undefined;
    const old = await weigher.weigh(before, used.get(conversation.number)?.usage);
    const sameTokens = Math.round(sum(tokens.slice(0, comparison.same)));
    const told = { request: number, conversation: conversation.number, at };
    const { cause, block, dropped } = comparison;
    if (cause !== undefined) {
      const weightOf = new Map(before.blocks.map(({ hash }, index) => [hash, old[index] ?? 0]));
      return {
        ...told,
        cause,
        ...(block === undefined ? {} : { block: shownBlock(block, options.show) }),
        sameTokens,
        againTokens: Math.max(0, Math.round(sum(old)) - sameTokens),
        ...(dropped.length === 0 ? {} : { dropped: droppedOf(dropped, weightOf) }),
      };
    }
    const earlier = used.get(conversation.number);
    if (earlier === undefined || usage === undefined) return undefined;
    const lost = breakBetween({ id: '', ...earlier }, { id: '', model: body.model, usage, at }, undefined);
    if (lost === undefined) return undefined;
    return {
      ...told,
      cause: lost.cause === 'expired' ? 'expired' : 'provider',
      sameTokens: lost.cachedTokens,
      againTokens: Math.max(0, lost.keptTokens - lost.cachedTokens),
    };
  };

  return {
    listen({ method, path }) {
      const protocol = protocolOf(method, path);
      if (protocol === undefined) others.add(`${method} ${shownRoute(path)}`);
      const reader = usageReader();
      let asked: Asked | undefined;
      let status: number | undefined;
      return {
        body(bytes) {
          if (protocol === undefined) return;
          asked = bytes === undefined ? undefined : ask(protocol, path, bytes);
          if (asked === undefined) unread += 1;
        },
        answered(code) {
          status = code;
          if (code >= 400) failures.add(String(code));
        },
        chunk(bytes) {
          if (asked !== undefined) reader.write(bytes);
        },
        ended(ending, code) {
          if (ending !== 'whole' && ending !== 'left') failures.add(code ?? ending);
          const known = asked;
          if (known === undefined) return;
          work = work.then(() => settle(known, { status, ending, usage: reader.finish() }));
        },
      };
    },
    async finish() {
      await work;
      return {
        requests,
        newest,
        conversations: [...seen.values()],
        breaks,
        breakCount,
        costs: costs.finish().costs,
        others: others.list(),
        failures: failures.list(),
        unread,
        ...weigher.told(),
      };
    },
  };
}

const sum = (weights: readonly number[]) => weights.reduce((total, weight) => total + weight, 0);

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

/** Names of accounts and the like are nobody's business. */
const shownRoute = (path: string) =>
  path
    .split('/')
    .map((word) => (/^v\d+\w*$/.test(word) || /^[a-zA-Z_.:-]{1,40}$/.test(word) || word === '' ? word : '…'))
    .join('/');

function tally() {
  const counts = new Map<string, number>();
  return {
    add: (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1),
    list: () => [...counts].slice(0, 50).map(([what, count]) => ({ what, count })),
  };
}

/** The same blocks come again with every request, so each is weighed once. */
function createWeigher() {
  const known = new Map<string, number>();
  const meters = new Map<string, boolean>();
  return {
    async weigh({ model, blocks }: ModelRequestBody, usage: Usage | undefined): Promise<readonly number[]> {
      const meter = await loadMeter(meterForModel(model).meter);
      meters.set(meter.id, meter.exact);
      if (known.size > maxWeights) known.clear();
      const raw = blocks.map(({ hash, text }) => {
        const key = `${meter.id} ${hash}`;
        const weight = known.get(key) ?? meter.weigh(text) / meter.scale;
        known.set(key, weight);
        return weight;
      });
      // An estimate errs on the safe side; what the provider counted is the whole.
      const factor = meter.exact || usage === undefined ? 1 : usage.inputTokens / sum(raw);
      return factor > 0.5 && factor < 1.5 ? raw.map((weight) => weight * factor) : raw;
    },
    told: () => ({ meters: [...meters.keys()], exact: [...meters.values()].every((exact) => exact) }),
  };
}
