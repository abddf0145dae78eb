// What fills a window, by kind, and its heaviest items.
import type { SessionPart } from './session-log.js';
import type { WindowEntry } from './session-window.js';
import type { WindowWeights } from './weigh-window.js';

/** What fills a window, in the order in which it is sent. */
export const windowKinds = ['system', 'tools', 'memory', 'messages', 'results', 'not-in-file'] as const;

export type WindowKind = (typeof windowKinds)[number];

export interface WindowShare {
  readonly kind: WindowKind;
  readonly tokens: number;
  readonly items: number;
  /** Of messages: by whom. */
  readonly of?: Readonly<Partial<Record<SessionPart, number>>>;
}

export interface HeavyItem {
  readonly part: SessionPart;
  readonly tool?: string;
  readonly target?: string;
  /** How often the same tool was used on the same file. */
  readonly times: number;
  readonly tokens: number;
}

export const total = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0);

const kindOf: Readonly<Record<SessionPart, WindowKind>> = {
  system: 'system',
  tools: 'tools',
  memory: 'memory',
  user: 'messages',
  added: 'messages',
  summary: 'messages',
  assistant: 'messages',
  reasoning: 'messages',
  call: 'messages',
  result: 'results',
};

export function sharesOf(
  entries: readonly Pick<WindowEntry, 'part'>[],
  weights: Pick<WindowWeights, 'tokens' | 'unheld'>,
  notInFile: number | undefined,
): WindowShare[] {
  const parts = new Map<SessionPart, { tokens: number; items: number }>();
  const add = (part: SessionPart, tokens: number, items: number) => {
    const so = parts.get(part) ?? { tokens: 0, items: 0 };
    parts.set(part, { tokens: so.tokens + tokens, items: so.items + items });
  };
  for (const [index, { part }] of entries.entries()) add(part, weights.tokens[index] ?? 0, 1);
  for (const { part, tokens, items } of weights.unheld) add(part, tokens, items);
  return windowKinds.flatMap((kind): WindowShare[] => {
    if (kind === 'not-in-file') return notInFile === undefined ? [] : [{ kind, tokens: notInFile, items: 0 }];
    const own = [...parts].filter(([part]) => kindOf[part] === kind);
    if (own.length === 0) return [];
    const tokens = Math.round(total(own.map(([, so]) => so.tokens)));
    const items = total(own.map(([, so]) => so.items));
    const of = Object.fromEntries(own.map(([part, so]) => [part, Math.round(so.tokens)]));
    return [{ kind, tokens, items, ...(kind === 'messages' ? { of } : {}) }];
  });
}

export const mostHeavy = 10;

/** The same tool on the same file is one item. */
export function heaviestOf(
  entries: readonly Pick<WindowEntry, 'part' | 'tool' | 'target'>[],
  tokens: readonly number[],
  show: (path: string) => string,
): HeavyItem[] {
  type Sum = Pick<WindowEntry, 'part' | 'tool' | 'target'> & { times: number; tokens: number };
  const sums: Sum[] = [];
  const ofTarget = new Map<string, Sum>();
  entries.forEach(({ part, tool, target }, index) => {
    const weight = tokens[index] ?? 0;
    const key = target === undefined ? undefined : `${part}\n${tool}\n${target}`;
    const sum = key === undefined ? undefined : ofTarget.get(key);
    if (sum !== undefined) {
      sum.times += 1;
      sum.tokens += weight;
      return;
    }
    const own = { part, tool, target, times: 1, tokens: weight };
    sums.push(own);
    if (key !== undefined) ofTarget.set(key, own);
  });
  return sums
    .sort((left, right) => right.tokens - left.tokens)
    .slice(0, mostHeavy)
    .map(({ part, tool, target, times, tokens: weight }) => ({
      part,
      ...(tool === undefined ? {} : { tool }),
      ...(target === undefined ? {} : { target: show(target) }),
      times,
      tokens: Math.round(weight),
    }));
}
