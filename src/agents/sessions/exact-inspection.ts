// An inspection with the counts of Claude Code in place of ours: nothing is estimated, and what the file does not hold has rows of its own.
import { type JsonObject, pick, pickCount, pickText } from '../../models/answer/json-fields.js';
import type { SessionInspection } from './inspect-session.js';
import {
  type HeavyItem,
  mostHeavy,
  type WindowKind,
  type WindowShare,
  windowKinds,
} from './window-shares.js';

interface ShownCounts {
  show(path: string): string;
}

export function withExactCounts(
  inspection: SessionInspection,
  told: JsonObject,
  { show }: ShownCounts,
): SessionInspection {
  const sums = new Map<WindowKind, number>();
  const add = (kind: WindowKind, tokens: number) => sums.set(kind, (sums.get(kind) ?? 0) + tokens);
  for (const category of listIn(told, 'categories')) {
    const kind = kindOf(pickText(category, 'name') ?? '');
    if (kind !== undefined) add(kind, pickCount(category, 'tokens') ?? 0);
  }
  const results = pickCount(told, 'messageBreakdown', 'toolResultTokens') ?? 0;
  add('results', results);
  add('messages', -Math.min(results, sums.get('messages') ?? 0));
  const items = itemsIn(told, inspection);
  const parts = windowKinds.flatMap((kind): WindowShare[] => {
    const tokens = sums.get(kind) ?? 0;
    return tokens > 0 ? [{ kind, tokens, items: items[kind] ?? 0 }] : [];
  });
  const windowTokens = pickCount(told, 'rawMaxTokens') ?? inspection.windowTokens;
  const { scaled: _, unsentTokens: __, memoryOnDisk: ___, ...rest } = inspection;
  return {
    ...rest,
    tokens: parts.reduce((sum, share) => sum + share.tokens, 0),
    ...(windowTokens === undefined ? {} : { windowTokens }),
    parts,
    heaviest: [...memoryItems(told, show), ...inspection.heaviest.filter(({ part }) => part !== 'memory')]
      .sort((left, right) => right.tokens - left.tokens)
      .slice(0, mostHeavy),
    meter: 'claude',
    exact: true,
  };
}

/** Its own words; what a newer version calls otherwise is still counted. */
function kindOf(name: string): WindowKind | undefined {
  if (/free space|buffer/i.test(name)) return undefined;
  if (/system prompt/i.test(name)) return 'system';
  if (/memory/i.test(name)) return 'memory';
  if (/tool|skill|agent|command/i.test(name)) return 'tools';
  return /messages/i.test(name) ? 'messages' : 'not-in-file';
}

function itemsIn(told: JsonObject, { parts }: SessionInspection): Partial<Record<WindowKind, number>> {
  const held = Object.fromEntries(parts.map(({ kind, items }) => [kind, items]));
  return { ...held, system: 1, memory: listIn(told, 'memoryFiles').length };
}

function memoryItems(told: JsonObject, show: (path: string) => string): HeavyItem[] {
  return listIn(told, 'memoryFiles').map((file) => ({
    part: 'memory',
    target: show(pickText(file, 'path') ?? ''),
    times: 1,
    tokens: pickCount(file, 'tokens') ?? 0,
  }));
}

function listIn(told: JsonObject, field: string): readonly unknown[] {
  const list = pick(told, field);
  return Array.isArray(list) ? list : [];
}
