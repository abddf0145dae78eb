// A caller without an SDK: sees every byte and how the connection ended.
import { type IncomingHttpHeaders, request as openRequest } from 'node:http';

export interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** `refused`: no connection. `broken`: it was lost. `left`: the caller had seen enough. */
  readonly end: 'whole' | 'broken' | 'refused' | 'left';
}

export interface RawCall {
  readonly path: string;
  readonly body: object | string;
  /** Go away as soon as this is seen; with the empty text, as soon as there are headers. */
  readonly until?: string;
  /** Go away when this says so. */
  readonly signal?: AbortSignal;
}

export function callRaw(url: string, { path, body, until, signal }: RawCall): Promise<Seen> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    const finish = (end: Seen['end']) => {
      const bytes = Buffer.concat(chunks);
      resolve({ status, headers, bytes, text: bytes.toString('utf8'), end });
    };
    const request = openRequest(`${url}${path}`, { method: 'POST', agent: false, signal }, (response) => {
      status = response.statusCode ?? 0;
      headers = response.headers;
      const look = () => {
        if (until === undefined || !Buffer.concat(chunks).includes(until)) return;
        request.destroy();
        finish('left');
      };
      if (until === '') look();
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        look();
      });
      response.on('end', () => finish('whole'));
      response.on('error', () => finish('broken'));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.name === 'AbortError') finish('left');
      else finish(error.code === 'ECONNREFUSED' ? 'refused' : 'broken');
    });
    request.setHeader('content-type', 'application/json');
    request.setHeader('authorization', 'Bearer sk-not-to-be-recorded');
    request.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** A small request in each protocol. */
export const rawRequests = {
  anthropic: (stream: boolean) => ({
    path: '/v1/messages',
    body: { model: 'claude-sonnet-4-5', max_tokens: 99, stream, messages: [{ role: 'user', content: 'Hi' }] },
  }),
  responses: (stream: boolean) => ({
    path: '/v1/responses',
    body: { model: 'gpt-5', stream, input: 'Hi' },
  }),
  chat: (stream: boolean) => ({
    path: '/v1/chat/completions',
    body: { model: 'gpt-5', stream, messages: [{ role: 'user', content: 'Hi' }] },
  }),
  gemini: (stream: boolean) => ({
    path: `/v1beta/models/gemini-2.5-flash:${stream ? 'streamGenerateContent?alt=sse&key=sk-none' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  }),
};
