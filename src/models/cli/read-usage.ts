// Token counts of an event, when it gives both of them; what was read from a cache is optional.
import type { Usage } from '../model.js';
import { type JsonObject, pickCount } from './json-event.js';

export interface UsageNames {
  readonly under: string;
  readonly cached: string;
}

export function readUsage(event: JsonObject, { under, cached }: UsageNames): { usage?: Usage } {
  const inputTokens = pickCount(event, under, 'input_tokens');
  const outputTokens = pickCount(event, under, 'output_tokens');
  const cachedInputTokens = pickCount(event, under, cached);
  if (inputTokens === undefined || outputTokens === undefined) return {};
  return {
    usage: { inputTokens, outputTokens, ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }) },
  };
}
