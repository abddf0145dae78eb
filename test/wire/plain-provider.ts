// A provider of a few lines: takes a request, keeps it, and answers in the protocol it was asked in with the next words it was given.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Received } from './law.js';
import { readRequest } from './read-request.js';

export interface PlainProvider {
  readonly url: string;
  /** Since it was last asked. */
  received(): Received[];
  /** Said in turn, the last again and again. */
  say(words: readonly string[]): void;
  close(): Promise<void>;
}

export async function openPlainProvider(): Promise<PlainProvider> {
  let kept: Received[] = [];
  let answers: readonly string[] = ['fine'];
  let said = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const received = readRequest(incoming.url ?? '', bytes);
    kept.push(received);
    const words = answers[Math.min(said, answers.length - 1)] ?? '';
    said += 1;
    const body = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsOf(received.by, words, body.tool_choice !== undefined)) response.write(event);
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received() {
      const all = kept;
      kept = [];
      return all;
    },
    say(words) {
      answers = words;
      said = 0;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Addresses and keys for every family, all of them this one. */
export function providerEnvironment(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'test-key',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: 'test-key',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: 'test-key',
    GALLEY_BASE_URL: `${url}/v1`,
    VLLM_BASE_URL: `${url}/v1`,
  };
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

function eventsOf(by: string, words: string, asTool: boolean): string[] {
  const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const named = (value: Event) => `event: ${value.type}\n${data(value)}`;
  switch (by) {
    case 'anthropic':
      return anthropicEvents(words, asTool).map(named);
    case 'openai':
      return openaiEvents(words).map(named);
    case 'google':
      return [
        data({
          candidates: [
            { content: { role: 'model', parts: [{ text: words }] }, finishReason: 'STOP', index: 0 },
          ],
          usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
        }),
      ];
    default: {
      const chunk = (delta: object, finish_reason: string | null) =>
        data({ id: 'c', created: 1, model: 'plain', choices: [{ index: 0, delta, finish_reason }] });
      return [chunk({ role: 'assistant', content: words }, null), chunk({}, 'stop'), 'data: [DONE]\n\n'];
    }
  }
}

function anthropicEvents(words: string, asTool: boolean): Event[] {
  const usage = { input_tokens: 9, output_tokens: 3 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'plain', content: [], usage };
  const block = asTool ? { type: 'tool_use', id: 't', name: 'json', input: {} } : { type: 'text', text: '' };
  const delta = asTool
    ? { type: 'input_json_delta', partial_json: words }
    : { type: 'text_delta', text: words };
  const stop = { stop_reason: asTool ? 'tool_use' : 'end_turn', stop_sequence: null };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage },
    { type: 'message_stop' },
  ];
}

function openaiEvents(words: string): Event[] {
  const response = { id: 'r', object: 'response', created_at: 1, model: 'plain', output: [] };
  const item = { id: 'i', type: 'message', status: 'completed', role: 'assistant', content: [] };
  const usage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 };
  const place = { item_id: 'i', output_index: 0, content_index: 0 };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_text.delta', ...place, delta: words, logprobs: [] },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', usage } },
  ];
}
