// What a provider would find in its cache and keep there, judged by nothing but the prompt on the wire. It knows no prediction:
// it imports nothing of the product, so that the two can be compared.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type JsonObject, objectsOf } from './json-object.js';
import { promptTokens } from './prompt-tokens.js';

export type CachePolicy =
  | { readonly kind: 'none' }
  /** Entries at marked blocks, found again by looking back from a marker. */
  | {
      readonly kind: 'markers';
      readonly minimumTokens: number;
      readonly route?: string;
      /** From a marker over so many blocks when left out. */
      readonly looksBack?: 'always';
      /** The end of the prompt counts as marked. */
      readonly endIsMarked?: boolean;
    }
  /** Every whole step of tokens is an entry. */
  | {
      readonly kind: 'tokens';
      readonly minimumTokens: number;
      readonly step: number;
      readonly lifeMs: number;
      /** Calls of another route meet another cache. */
      readonly route?: string;
      /** The last token is never read from the cache. */
      readonly lastIsFresh?: boolean;
    };

export interface Prompt {
  readonly model: string;
  readonly policy: CachePolicy;
  readonly blocks: readonly PromptBlock[];
}

export interface CacheLook {
  readonly input: number;
  readonly read: number;
  readonly write: number;
  readonly writeHour: number;
  /** The response begins: from now on other calls find what this one wrote. */
  begin(): void;
}

interface Entry {
  until: number;
  readonly lifeMs: number;
}

interface PrefixCache {
  look(prompt: Prompt): CacheLook;
  clear(): void;
}

const lives = { '5m': 5 * 60_000, '30m': 30 * 60_000, '1h': 60 * 60_000 };
/** What one call writes at most. */
const maxMarkers = 4;
/** Positions a marker is compared at, its own included. */
const lookBack = 20;

export function prefixCache(clock: () => number): PrefixCache {
  const entries = new LRUCache<string, Entry>({ maxSize: 200_000, sizeCalculation: () => 1 });
  const alive = (key: string) => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > clock()) return entry;
    entries.delete(key);
    return undefined;
  };
  const keep = (key: string, lifeMs: number) => {
    // A shorter life never shortens a longer one.
    const life = Math.max(lifeMs, alive(key)?.lifeMs ?? 0);
    entries.set(key, { until: clock() + life, lifeMs: life });
  };
  const refresh = (key: string) => {
    const entry = alive(key);
    if (entry !== undefined) entry.until = clock() + entry.lifeMs;
  };

  const atMarkers = (prompt: Prompt, policy: Extract<CachePolicy, { kind: 'markers' }>): CacheLook => {
    const borders = bordersOf(prompt, policy.route ?? '');
    const marked = markedOf(borders, policy.endIsMarked ?? false);
    const reach = policy.looksBack === 'always' ? borders.length : lookBack;
    const found = marked
      .flatMap((index) => borders.slice(Math.max(0, index - reach + 1), index + 1))
      .findLast(({ key }) => alive(key) !== undefined);
    const read = found?.tokens ?? 0;
    const written = marked
      .map((index) => borders[index]!)
      .filter(({ tokens }) => tokens >= policy.minimumTokens);
    const write = Math.max(0, (written.at(-1)?.tokens ?? 0) - read);
    const hour = written.findLast(({ marker }) => marker === '1h')?.tokens ?? 0;
    return {
      input: borders.at(-1)?.tokens ?? 0,
      read,
      write,
      writeHour: Math.min(write, Math.max(0, hour - read)),
      begin() {
        if (found !== undefined) refresh(found.key);
        for (const { key, marker } of written) keep(key, lives[marker ?? '30m']);
      },
    };
  };

  const atSteps = (prompt: Prompt, policy: Extract<CachePolicy, { kind: 'tokens' }>): CacheLook => {
    const { keys, tokens } = stepsOf(prompt, policy.step, policy.route ?? '');
    let steps = 0;
    while (steps < keys.length && alive(keys[steps]!) !== undefined) steps += 1;
    if (policy.lastIsFresh === true && steps * policy.step >= tokens) steps -= 1;
    const read = steps * policy.step >= policy.minimumTokens ? steps * policy.step : 0;
    return {
      input: tokens,
      read,
      write: 0,
      writeHour: 0,
      begin() {
        for (const key of keys) keep(key, policy.lifeMs);
      },
    };
  };

  return {
    clear: () => entries.clear(),
    look(prompt) {
      const { policy } = prompt;
      if (policy.kind === 'markers') return atMarkers(prompt, policy);
      if (policy.kind === 'tokens') return atSteps(prompt, policy);
      const input = prompt.blocks.reduce((sum, { text }) => sum + promptTokens(text).length, 0);
      return { input, read: 0, write: 0, writeHour: 0, begin() {} };
    },
  };
}

/** Keeps nothing and counts nothing. */
export const forgetfulCache: PrefixCache = {
  clear() {},
  look({ blocks }) {
    const input = blocks.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0);
    return { input, read: 0, write: 0, writeHour: 0, begin() {} };
  },
};

interface Border {
  readonly key: string;
  /** Of everything up to here. */
  readonly tokens: number;
  readonly marker: PromptBlock['marker'];
}

function markedOf(borders: readonly Border[], endIsMarked: boolean): readonly number[] {
  const end = borders.length - 1;
  const marked = borders.flatMap(({ marker }, index) => (marker === undefined ? [] : [index]));
  if (endIsMarked && end >= 0 && marked.at(-1) !== end) return [...marked.slice(1 - maxMarkers), end];
  return marked.slice(-maxMarkers);
}

function bordersOf({ model, blocks }: Prompt, route: string): readonly Border[] {
  let key = digest(model, route);
  let tokens = 0;
  return blocks.map(({ part, label, text, marker }) => {
    key = digest(key, part, label, text);
    tokens += promptTokens(text).length;
    return { key, tokens, marker };
  });
}

function stepsOf({ model, blocks }: Prompt, step: number, route: string) {
  const keys: string[] = [];
  let hash = createHash('sha256').update(JSON.stringify([model, route]));
  let tokens = 0;
  for (const { part, label, text } of blocks) {
    const ids = promptTokens(text);
    hash.update(JSON.stringify([part, label]));
    let from = 0;
    while (from < ids.length) {
      const to = Math.min(ids.length, from + step - (tokens % step));
      hash.update(Buffer.from(ids.buffer, ids.byteOffset + from * 4, (to - from) * 4));
      tokens += to - from;
      from = to;
      if (tokens % step !== 0) continue;
      keys.push(hash.digest('base64'));
      hash = createHash('sha256').update(keys.at(-1)!);
    }
  }
  return { keys, tokens };
}

function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64');
}

/** A piece of the prompt as it is on the wire, in the order the provider reads it: tools, system, messages. */
export interface PromptBlock {
  readonly part: 'tools' | 'system' | 'messages';
  /** Who speaks and what kind of block it is; costs no tokens but tells equal texts apart. */
  readonly label: string;
  /** What is counted and compared. */
  readonly text: string;
  /** The provider is asked to keep everything up to the end of this block. */
  readonly marker?: '5m' | '30m' | '1h';
}

export function toolBlocks(body: JsonObject): readonly PromptBlock[] {
  return objectsOf(body.tools).map((tool) => ({ part: 'tools', label: 'tool', text: JSON.stringify(tool) }));
}

const anthropic: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:opus-4-[5-9]|haiku-4-5)/, 4096],
  [/claude-(?:3-5-haiku|3-haiku|haiku-3)/, 2048],
];

/**
 * From how many tokens on each provider keeps a prefix. Written down here a second time on purpose: what is compared with a
 * prediction must not be taken from it.
 */
export function anthropicMinimum(model: string): number {
  return anthropic.find(([pattern]) => pattern.test(model))?.[1] ?? 1024;
}

export function geminiMinimum(model: string): number {
  return /pro/.test(model) ? 4096 : 2048;
}
