// The messages of the AI SDK, as far as their shape matters here: what is weighed of each, and which must stay together.

export interface ChatPart {
  readonly type: string;
  readonly text?: string;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly ChatPart[];
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What one picture or file is taken to cost: providers do not say before they have read it. */
export const tokensOfFile = 1_600;

/** What a provider reads of a message, near enough to weigh it: role, text, calls and results as JSON; files apart. */
export function wordsOf({ role, content }: ChatMessage): string {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const words = parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text ?? '';
    return part.type === 'file' ? '' : JSON.stringify(part);
  });
  return `${role}\n${words.join('\n')}\n\n`;
}

export function filesIn({ content }: ChatMessage): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'file').length;
}

/** Number of the exchange each message belongs to: a user opens one, and what answers it, tools included, stays with it. */
export function exchangesOf(messages: readonly ChatMessage[]): number[] {
  let exchange = 0;
  return messages.map(({ role }, index) => {
    if (role === 'user' && messages[index - 1]?.role !== 'user') exchange += 1;
    return exchange;
  });
}
