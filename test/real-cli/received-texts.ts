// The texts of a request as a provider receives it: what was said and called, and what tools gave back. What the CLIs put around
// it (system text, tools, reminders) is left out.
import type { AgentCliName } from '../../src/models/cli/agent-cli.js';

interface ReceivedTexts {
  readonly messages: readonly string[];
  readonly results: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const said = (name: unknown, input: unknown) =>
  `${String(name)} ${typeof input === 'string' ? input : JSON.stringify(input)}`;

export function receivedTexts(cli: AgentCliName, body: Json): ReceivedTexts {
  const messages: string[] = [];
  const results: string[] = [];
  const blocks = readers[cli](body);
  for (const { kind, text } of blocks) (kind === 'result' ? results : messages).push(text);
  return { messages, results };
}

interface Block {
  readonly kind: 'message' | 'result';
  readonly text: string;
}

const message = (text: unknown): Block => ({ kind: 'message', text: String(text) });
const result = (text: unknown): Block => ({ kind: 'result', text: String(text) });

const readers: Readonly<Record<AgentCliName, (body: Json) => readonly Block[]>> = {
  claude: ({ messages }) =>
    listIn(messages).flatMap(({ content }) =>
      (typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content)).flatMap((block) => {
        if (block.type === 'tool_result') return [result(block.content)];
        if (block.type === 'tool_use') return [message(said(block.name, block.input))];
        if (block.type === 'thinking') return [message(block.thinking)];
        return String(block.text).startsWith('<system-reminder>') ? [] : [message(block.text)];
      }),
    ),
  codex: ({ input }) =>
    listIn(input).flatMap((item) => {
      if (item.type === 'function_call') return [message(said(item.name, item.arguments))];
      if (item.type === 'function_call_output') return [result(item.output)];
      if (item.type === 'reasoning') return listIn(item.summary).map(({ text }) => message(text));
      return item.role === 'developer' ? [] : listIn(item.content).map(({ text }) => message(text));
    }),
  gemini: ({ contents }) =>
    listIn(contents).flatMap(({ parts }) =>
      listIn(parts).map((part) => {
        const response = part.functionResponse as { response?: Json } | undefined;
        const call = part.functionCall as Json | undefined;
        if (response !== undefined) return result(response.response?.output);
        return message(call === undefined ? part.text : said(call.name, call.args));
      }),
    ),
};
