// What is known of the requests that passed: what filled each, what broke its prefix, what it used. A request is held until it is
// weighed, and the last of each conversation until the next one has been compared with it; headers never come here.
import { parseEvent } from '../../models/answer/json-fields.js';
import { type Catalog, rowFor } from '../../models/catalog/catalog.js';
import { longWindow } from '../../models/catalog/model-prices.js';
import type { Usage } from '../../models/contract/model.js';
import { createRequestRecord, type ModelCost } from '../sessions/request-record.js';
import { type HeavyItem, heaviestOf, sharesOf, type WindowShare } from '../sessions/window-shares.js';
import { compareRequests } from './compare-requests.js';
import { createConversations } from './conversations.js';
import { usageReader } from './reported-usage.js';
import { protocolOf, type RequestBlock, readRequestBody } from './request-blocks.js';
import type { ExchangeEnding, ExchangeListener, WatchedCall } from './watch-proxy.js';
import { type AskedRequest, type EarlierUsage, type WatchedBreak, watchedBreak } from './watched-break.js';
import { createWeigher, sum } from './weigh-blocks.js';

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
  listen(request: WatchedCall): ExchangeListener;
  finish(): Promise<WatchReport>;
}

const maxListed = 500;

interface Asked extends AskedRequest {
  readonly bytes: number;
}

interface Answered {
  readonly status?: number | undefined;
  readonly ending: ExchangeEnding;
  readonly usage?: Usage | undefined;
  readonly isLong: boolean;
}

export function createWatchRecord(options: WatchRecordOptions): WatchRecord {
  const conversations = createConversations();
  const costs = createRequestRecord(options.catalog);
  const newest: WatchedRequest[] = [];
  const breaks: WatchedBreak[] = [];
  const seen = new Map<number, WatchedConversation>();
  const used = new Map<number, EarlierUsage>();
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

  const settle = async (asked: Asked, { status, ending, usage, isLong }: Answered) => {
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
    const broke = await watchedBreak(asked, {
      ...{ usage, tokens, weigher, show: options.show },
      earlier: used.get(conversation.number),
    });
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
    const usual = rowFor(model, options.catalog)?.window;
    const windowTokens = isLong && usual === longWindow.of ? longWindow.tokens : usual;
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

  return {
    listen({ method, path, isLong = false }) {
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
          work = work.then(() => settle(known, { status, ending, usage: reader.finish(), isLong }));
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
