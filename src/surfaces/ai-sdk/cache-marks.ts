// Where Anthropic's cache may keep the messages of a call: behind the system text, and behind the last exchange that is over.
// Other providers cache by themselves and get no marks.
import { providerProfileFor } from '../../models/catalog/provider-profiles.js';
import { type ChatMessage, exchangesOf, wordsOf } from './chat-message.js';

export interface MarkedCall {
  readonly model: { readonly modelId: string; readonly provider: string };
  count(text: string): number;
}

const mark = { cacheControl: { type: 'ephemeral' } };

export function withCacheMarks(
  messages: readonly ChatMessage[],
  { model, count }: MarkedCall,
): readonly ChatMessage[] {
  const isMarked = messages.some(
    ({ providerOptions }) => providerOptions?.anthropic?.cacheControl !== undefined,
  );
  if (!model.provider.startsWith('anthropic') || isMarked) return messages;
  const { minimumTokens } = providerProfileFor(model.modelId);
  const exchanges = exchangesOf(messages);
  const current = exchanges.at(-1);
  const ends = [
    messages.findLastIndex(({ role }) => role === 'system'),
    exchanges.findLastIndex((exchange) => exchange !== current),
  ];
  const isWorthIt = (end: number) =>
    messages.slice(0, end + 1).reduce((sum, message) => sum + count(wordsOf(message)), 0) >= minimumTokens;
  const marked = new Set(ends.filter((end) => end >= 0 && isWorthIt(end)));
  return messages.map((message, index) =>
    marked.has(index)
      ? {
          ...message,
          providerOptions: {
            ...message.providerOptions,
            anthropic: { ...message.providerOptions?.anthropic, ...mark },
          },
        }
      : message,
  );
}
