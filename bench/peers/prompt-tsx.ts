// The peer: @vscode/prompt-tsx outside VS Code, one user message of prioritised chunks, with the tokenizer it is given.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// Types of this package need VS Code's own; the few names used here are declared by hand.
const peer = require('@vscode/prompt-tsx') as {
  PromptElement: new (props: object) => { props: { pieces: readonly Piece[] } };
  UserMessage: unknown;
  TextChunk: unknown;
  PromptRenderer: new (
    endpoint: { modelMaxPromptTokens: number },
    element: unknown,
    props: object,
    tokenizer: object,
  ) => { render(): Promise<{ messages: { content: unknown }[]; tokenCount: number }> };
  OutputMode: { Raw: number };
};
declare const vscpp: (...parts: unknown[]) => unknown;

export interface Piece {
  readonly text: string;
  readonly priority: number;
}

class Pieces extends peer.PromptElement {
  render(): unknown {
    const chunks = this.props.pieces.map(({ text, priority }) => vscpp(peer.TextChunk, { priority }, text));
    return vscpp(peer.UserMessage, { priority: 1_000_000 }, ...chunks);
  }
}

export interface PeerResult {
  readonly text: string;
  readonly tokens: number;
}

/** Renders the pieces under a token budget; `count` is asked for every text the renderer wants to know. */
export async function renderWithPromptTsx(
  pieces: readonly Piece[],
  budget: number,
  count: (text: string) => number,
): Promise<PeerResult> {
  const tokenizer = {
    mode: peer.OutputMode.Raw,
    tokenLength: (part: { text?: string }) => count(part.text ?? ''),
    countMessageTokens: (message: { content: unknown }) => count(textOf(message.content)),
  };
  const renderer = new peer.PromptRenderer({ modelMaxPromptTokens: budget }, Pieces, { pieces }, tokenizer);
  const { messages, tokenCount } = await renderer.render();
  return { text: messages.map(({ content }) => textOf(content)).join('\n'), tokens: tokenCount };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('');
}
