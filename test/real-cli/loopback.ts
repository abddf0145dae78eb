// A provider on this machine: speaks enough of three streaming protocols for the real CLIs to answer, fail, hang or stall.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Mood = 'answer' | 'hang' | 'stall' | number;

export interface Loopback {
  readonly url: string;
  readonly requests: string[];
  mood: Mood;
  close(): void;
}

const words = ['Hel', 'lo ', 'wörld'];

export async function openLoopback(): Promise<Loopback> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answerTo(request.url ?? '');
      if (answer !== undefined) loopback.requests.push(Buffer.concat(chunks).toString('utf8'));
      respond(response, answer, loopback.mood);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const loopback: Loopback = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    mood: 'answer',
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return loopback;
}

function respond(response: ServerResponse, answer: readonly object[] | undefined, mood: Mood): void {
  if (answer === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}');
  } else if (typeof mood === 'number') {
    const error = { type: 'error', error: { type: 'test', code: mood, message: 'SECRET' } };
    response.writeHead(mood, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  } else if (mood !== 'hang') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = mood === 'stall' ? answer.slice(0, -2) : answer;
    for (const event of events) {
      const name = 'type' in event ? `event: ${event.type}\n` : '';
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    if (mood === 'answer') response.end();
  }
}

function answerTo(url: string): readonly object[] | undefined {
  if (url.includes('/messages')) return anthropic();
  if (url.includes('/responses')) return responses();
  return url.includes('treamGenerateContent') ? gemini() : undefined;
}

function anthropic(): object[] {
  const usage = {
    input_tokens: 10,
    output_tokens: 1,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 2,
  };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'loopback', content: [], usage };
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...words.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: 'message_stop' },
  ];
}

function responses(): object[] {
  const content = [{ type: 'output_text', text: words.join('') }];
  const usage = {
    input_tokens: 17,
    input_tokens_details: { cached_tokens: 5 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 24,
  };
  return [
    { type: 'response.created', response: { id: 'r' } },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'message', id: 'i', role: 'assistant', content },
    },
    { type: 'response.completed', response: { id: 'r', usage } },
  ];
}

function gemini(): object[] {
  return words.map((text, index) => ({
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ text }] },
        ...(index === words.length - 1 ? { finishReason: 'STOP' } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: 17,
      candidatesTokenCount: 7,
      totalTokenCount: 24,
      cachedContentTokenCount: 5,
    },
  }));
}
