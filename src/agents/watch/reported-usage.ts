// What a provider says that a request used, read from its answer as it passes: events or one JSON text, of any of the protocols.
// Nothing else of the answer is kept.
import { StringDecoder } from 'node:string_decoder';
import { type JsonObject, pick, pickCount } from '../../models/answer/json-fields.js';
import type { Usage } from '../../models/contract/model.js';
import { objectOf } from '../sessions/claude-session.js';

/** An answer in one text, or a line of one: more is not looked at. */
const maxHeld = 16 * 1024 * 1024;

export interface UsageReader {
  write(bytes: Buffer): void;
  finish(): Usage | undefined;
}

export function usageReader(): UsageReader {
  const decoder = new StringDecoder('utf8');
  let told: JsonObject = {};
  let held = '';
  let isEvents: boolean | undefined;
  let isTooLong = false;
  const take = (text: string) => {
    if (!text.includes('"usage')) return;
    for (const event of eventsIn(text)) told = { ...told, ...usageIn(event) };
  };
  return {
    write(bytes) {
      if (isTooLong) return;
      held += decoder.write(bytes);
      if (isEvents === undefined && held.trim() !== '') isEvents = /^\s*(?:data|event|id|retry|:)/.test(held);
      if (isEvents) {
        const lines = held.split('\n');
        held = lines.pop() ?? '';
        for (const line of lines) take(line);
      }
      if (held.length <= maxHeld) return;
      held = '';
      isTooLong = true;
    },
    finish() {
      take(held);
      held = '';
      return usageOf(told);
    },
  };
}

/** A line of an event stream, or a whole body: Gemini sends lists, too. */
function eventsIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text.replace(/^data:/, ''));
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}

function usageIn(event: unknown): JsonObject {
  for (const holder of [event, pick(event, 'message'), pick(event, 'response')]) {
    const found = objectOf(pick(holder, 'usage')) ?? objectOf(pick(holder, 'usageMetadata'));
    // A later event may say null of what an earlier one counted.
    if (found !== undefined)
      return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
  }
  return {};
}

function usageOf(told: JsonObject): Usage | undefined {
  const google = pickCount(told, 'promptTokenCount');
  if (google !== undefined)
    return {
      inputTokens: google,
      outputTokens:
        (pickCount(told, 'candidatesTokenCount') ?? 0) + (pickCount(told, 'thoughtsTokenCount') ?? 0),
      cachedInputTokens: pickCount(told, 'cachedContentTokenCount') ?? 0,
    };
  const input = pickCount(told, 'input_tokens') ?? pickCount(told, 'prompt_tokens');
  if (input === undefined) return undefined;
  const outputTokens = pickCount(told, 'output_tokens') ?? pickCount(told, 'completion_tokens') ?? 0;
  const details = pick(told, 'input_tokens_details') ?? pick(told, 'prompt_tokens_details');
  if (details !== undefined)
    return {
      inputTokens: input,
      outputTokens,
      cachedInputTokens: pickCount(details, 'cached_tokens') ?? 0,
    };
  // Anthropic counts what is cached beside the input.
  const cachedInputTokens = pickCount(told, 'cache_read_input_tokens') ?? 0;
  const cacheWriteTokens = pickCount(told, 'cache_creation_input_tokens');
  return {
    inputTokens: input + cachedInputTokens + (cacheWriteTokens ?? 0),
    outputTokens,
    cachedInputTokens,
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
  };
}
