// What OpenAI itself keeps: whole steps of tokens, and from 5.6 on what breakpoints in the request mark.
import { type JsonObject, objectOf, textOf } from './json-object.js';
import type { CachePolicy } from './prefix-cache.js';

const minute = 60_000;
const minimumTokens = 1024;

export function openaiCache(body: JsonObject): CachePolicy {
  const route = textOf(body.prompt_cache_key);
  if (takesBreakpoints(textOf(body.model))) {
    const explicit = objectOf(body.prompt_cache_options)?.mode === 'explicit';
    return { kind: 'markers', minimumTokens, route, looksBack: 'always', endIsMarked: !explicit };
  }
  const lifeMs = body.prompt_cache_retention === '24h' ? 1440 * minute : 10 * minute;
  return { kind: 'tokens', minimumTokens, step: 128, lifeMs, route };
}

function takesBreakpoints(model: string): boolean {
  const [, major, minor] = /^gpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6);
}

/** The marker of a content block, as a part of the block of the prompt. */
export function breakpointOf(block: JsonObject): { readonly marker?: '30m' } {
  return block.prompt_cache_breakpoint === undefined ? {} : { marker: '30m' };
}
