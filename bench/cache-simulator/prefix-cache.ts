// What would a provider have read from its cache? Requests are replayed in order against one rule; entries never expire.
import { createHash } from 'node:crypto';
import type { ProviderRule } from './provider-rules.js';
import type { SimulatedRequest } from './request.js';
import { type Tokenized, tokenize } from './tokenized.js';

export interface CacheResult {
  readonly rule: string;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly hitRatio: number;
  /** Input cost relative to the same requests without a cache. */
  readonly billed: number;
}

interface Replay {
  readonly cached: number;
  /** Tokens written at the write price; the rest is plain input. */
  readonly written: number;
}

export function replay(requests: readonly SimulatedRequest[], rule: ProviderRule): CacheResult {
  const known = new Set<string>();
  let promptTokens = 0;
  let cachedTokens = 0;
  let cost = 0;
  for (const request of requests) {
    const tokens = tokenize(request.bytes);
    const { cached, written } = replayOne(request, tokens, { rule, known });
    const total = tokens.ids.length;
    promptTokens += total;
    cachedTokens += cached;
    cost += cached * rule.readPrice + written * rule.writePrice + (total - cached - written);
  }
  const divisor = Math.max(1, promptTokens);
  return {
    rule: rule.id,
    promptTokens,
    cachedTokens,
    hitRatio: cachedTokens / divisor,
    billed: cost / divisor,
  };
}

function replayOne(
  request: SimulatedRequest,
  tokens: Tokenized,
  cache: { readonly rule: ProviderRule; readonly known: Set<string> },
): Replay {
  const { rule, known } = cache;
  if (rule.kind === 'markers') return replayMarkers(request, tokens, { rule, known });
  const [first, step] =
    rule.kind === 'blocks' ? [rule.blockTokens, rule.blockTokens] : [rule.minimum, rule.step];
  let cached = 0;
  let unbroken = true;
  let chain = request.model;
  let from = 0;
  for (let end = first; end <= tokens.ids.length; end += step) {
    chain = digest(chain, new Uint8Array(tokens.ids.slice(from, end).buffer));
    unbroken &&= known.has(chain);
    if (unbroken) cached = end;
    known.add(chain);
    from = end;
  }
  return { cached, written: 0 };
}

function replayMarkers(
  request: SimulatedRequest,
  tokens: Tokenized,
  cache: { readonly rule: Extract<ProviderRule, { kind: 'markers' }>; readonly known: Set<string> },
): Replay {
  const { rule, known } = cache;
  const markers = request.markers.slice(-rule.markers);
  const prefixes = new Map(
    request.blockEnds.map((end) => [end, digest(request.model, request.bytes.subarray(0, end))]),
  );
  let hit = 0;
  for (const marker of markers) {
    const last = request.blockEnds.indexOf(marker);
    for (const end of request.blockEnds.slice(Math.max(0, last - rule.lookBack + 1), last + 1)) {
      if (end > hit && known.has(prefixes.get(end)!)) hit = end;
    }
  }
  let reached = hit;
  for (const marker of markers) {
    if (tokens.tokensBefore(marker) < rule.minimum) continue;
    known.add(prefixes.get(marker)!);
    reached = Math.max(reached, marker);
  }
  const cached = tokens.tokensBefore(hit);
  return { cached, written: tokens.tokensBefore(reached) - cached };
}

function digest(before: string, bytes: Uint8Array): string {
  return createHash('sha256').update(before).update('\n').update(bytes).digest('base64');
}
