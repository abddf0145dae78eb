// Streamable HTTP: the official client of both revisions, then everyone who should be kept out.
import { mkdtempSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import type { LogLine } from '../../operations/operation.js';
import type { Engine } from '../engine.js';
import { createMcpServer } from './create-mcp-server.js';
import { type McpHttpOptions, serveMcpHttp } from './serve-http.js';

const root = mkdtempSync(join(tmpdir(), 'galley-mcp-http-'));
const endings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
  rmSync(root, { recursive: true, force: true });
});

const echo: Engine = { call: async (id, request) => ({ id, request }) };

async function serve(engine: Engine = echo, options: Partial<McpHttpOptions> = {}) {
  const logged: LogLine[] = [];
  const make = () => createMcpServer({ engine, folder: root, projectId: 'p', everyOperation: true });
  const server = await serveMcpHttp(make, { port: 0, log: (line) => logged.push(line), ...options });
  endings.push(server.close);
  return { ...server, port: Number(new URL(server.url).port), logged };
}

const modes = [
  ['of 2025', 'legacy'],
  ['of 2026', { pin: '2026-07-28' }],
] as const;

async function meet(url: string, mode: (typeof modes)[number][1], token?: string) {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

describe.each(modes)('MCP over HTTP for a client %s', (_, mode) => {
  it('answers calls of several clients at once', async () => {
    const { url } = await serve();
    const clients = await Promise.all([1, 2, 3].map(() => meet(url, mode)));
    const results = await Promise.all(
      clients.map((client, n) => client.callTool({ name: 'documents_get', arguments: { n } })),
    );
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      [0, 1, 2].map((n) => ({ id: 'documents:get', request: { n } })),
    );
    await Promise.all(clients.map((client) => client.close()));
  });

  it('streams progress, and cancels what a client no longer wants', async () => {
    const ended: string[] = [];
    const engine: Engine = {
      call: (_id, _request, { signal, onText, onProgress } = {}) =>
        new Promise((_resolve, reject) => {
          onProgress?.({ stage: 'reading', done: 1, total: 2 });
          onProgress?.({ stage: 'reading', done: 2, total: 2 });
          onProgress?.({ stage: 'setting', done: 1 });
          onText?.('so far');
          signal?.addEventListener('abort', () => {
            ended.push('aborted');
            reject(signal.reason);
          });
        }),
    };
    const { url } = await serve(engine);
    const client = await meet(url, mode);
    const heard: Progress[] = [];
    const cancel = new AbortController();
    const running = client.callTool(
      { name: 'review_chunks', arguments: {} },
      {
        signal: cancel.signal,
        onprogress: (progress) => {
          heard.push(progress);
          if (progress.message === 'so far') cancel.abort();
        },
      },
    );
    await expect(running).rejects.toThrow();
    await expect.poll(() => ended).toEqual(['aborted']);
    expect(heard).toEqual([
      { progress: 1, total: 2, message: 'reading' },
      { progress: 2, total: 2, message: 'reading' },
      { progress: 3, message: 'setting' },
      { progress: 9, message: 'so far' },
    ]);
    await client.close();
  });

  it('wants the token when there is one', async () => {
    const token = 'correct-horse-battery';
    const { url, logged } = await serve(echo, { token });
    await expect(meet(url, mode)).rejects.toThrow();
    await expect(meet(url, mode, 'correct-horse-batterz')).rejects.toThrow();
    const client = await meet(url, mode, token);
    expect((await client.listTools()).tools.length).toBeGreaterThan(30);
    await client.close();
    expect(logged.length).toBeGreaterThanOrEqual(2);
    expect(new Set(logged.map(({ event }) => event))).toEqual(new Set(['MCP_CALLER_REFUSED']));
    expect(JSON.stringify(logged)).not.toContain('correct');
  });
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

function send(port: number, { method = 'POST', path = '/mcp', headers = {}, body = '' }: Sent) {
  return new Promise<{ status: number | undefined; code: number | undefined }>((resolve, reject) => {
    const sent = ask({ port, method, path, headers: { 'content-type': 'application/json', ...headers } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const { error } = JSON.parse(text || '{}') as { error?: { code: number } };
        resolve({ status: response.statusCode, code: error?.code });
      });
    });
    sent.end(body);
  });
}

/** All that comes back until the connection ends. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('MCP over HTTP keeps out', () => {
  it('web pages of other origins and names that were made to point here', async () => {
    const { port, logged } = await serve();
    const own = `127.0.0.1:${port}`;
    const strangers: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { host: '127.0.0.1:1' },
      { host: '127.0.0.1' },
      { host: own, origin: 'https://evil.example' },
      { host: own, origin: `http://evil.example:${port}` },
      { host: own, origin: 'http://localhost:3000' },
      { host: own, origin: 'null' },
      { host: own, origin: `http://localhost:${port}` },
      { host: own, 'sec-fetch-site': 'cross-site' },
      { host: own, 'sec-fetch-site': 'strange' },
      { host: own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { host: `127.0.0.2:${port}` },
      { host: `localhost.:${port}` },
    ];
    for (const headers of strangers) {
      expect(await send(port, { headers, body: ping }), JSON.stringify(headers)).toEqual({
        status: 403,
        code: -32012,
      });
    }
    expect(logged).toHaveLength(strangers.length);
    expect(JSON.stringify(logged)).not.toContain('evil');
    for (const headers of [{ host: `localhost:${port}` }, { host: own, origin: `http://${own}` }]) {
      expect((await send(port, { headers, body: ping })).status).not.toBe(403);
    }
  });

  it('what is no message, or too much of one', async () => {
    const { port } = await serve(echo, { mostBytes: 1000 });
    const cases: [Sent, { status: number; code: number }][] = [
      [{ body: '{"jsonrpc":' }, { status: 400, code: -32700 }],
      [{ body: Buffer.from([0x22, 0xff, 0x22]) }, { status: 400, code: -32700 }],
      [{ body: `[${ping}]` }, { status: 400, code: -32600 }],
      [{ body: ping }, { status: 400, code: -32602 }],
      [
        { body: ping, headers: { 'mcp-session-id': 'none' } },
        { status: 404, code: -32013 },
      ],
      [
        { body: ping, headers: { 'content-type': 'text/plain' } },
        { status: 415, code: -32600 },
      ],
      [
        { body: ping, headers: { 'content-encoding': 'gzip' } },
        { status: 415, code: -32600 },
      ],
      [
        { body: ping, headers: { 'content-type': 'application/json; charset=utf-16' } },
        { status: 415, code: -32600 },
      ],
      [{ body: 'x'.repeat(1001) }, { status: 413, code: -32015 }],
      [
        { body: 'x'.repeat(5_000_000), headers: { 'transfer-encoding': 'chunked' } },
        { status: 413, code: -32015 },
      ],
      [
        { path: '/', body: ping },
        { status: 404, code: -32013 },
      ],
      [
        { path: '/mcp/../etc/passwd', body: ping },
        { status: 404, code: -32013 },
      ],
      [{ method: 'OPTIONS' }, { status: 405, code: -32600 }],
      [
        { method: 'PUT', body: ping },
        { status: 405, code: -32600 },
      ],
    ];
    for (const [sent, expected] of cases) {
      expect(await send(port, sent), JSON.stringify(sent).slice(0, 100)).toEqual(expected);
    }
    const client = await meet(`http://127.0.0.1:${port}/mcp`, 'legacy');
    expect((await client.callTool({ name: 'skills_list', arguments: {} })).isError ?? false).toBe(false);
    await client.close();
  });

  it('a bottomless message, which is the caller’s fault and not ours', async () => {
    const { port } = await serve();
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const params = `{"protocolVersion":"2025-06-18","capabilities":{"experimental":{"a":${deep}}},"clientInfo":{"name":"t","version":"1"}}`;
    const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`;
    const headers = { accept: 'application/json, text/event-stream' };
    expect(await send(port, { body: hello, headers })).toEqual({ status: 400, code: -32600 });
  });

  it('requests with two names, before their body is asked for, in the words of the protocol', async () => {
    const { port, logged } = await serve();
    const head = 'POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\n';
    const own = `host: 127.0.0.1:${port}\r\n`;
    const cases = [
      [`${head}${own}host: evil.example\r\ncontent-length: 2\r\n\r\n{}`, '403', -32012],
      [`POST http://evil.example/mcp HTTP/1.1\r\n${own}content-length: 2\r\n\r\n{}`, '403', -32012],
      [`${head}content-length: 2\r\n\r\n{}`, '403', -32012],
      [`${head}${own}origin: null\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`, '403', -32012],
      [`${head}${own}expect: 100-continue\r\ncontent-length: 99999999\r\n\r\n`, '413', -32015],
      ['NONSENSE\r\n\r\n', '400', -32602],
    ] as const;
    for (const [bytes, status, code] of cases) {
      const answer = await raw(port, bytes);
      expect(answer, bytes).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: { code } });
    }
    expect(logged.map(({ details }) => details?.code)).toEqual([
      ...Array.from({ length: 4 }, () => 'FORBIDDEN'),
      'PAYLOAD_TOO_LARGE',
    ]);
  });

  it('no connection that its client wants closed', async () => {
    const { port } = await serve();
    const hello = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    });
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
    const more = `accept: application/json, text/event-stream\r\ncontent-length: ${hello.length}\r\n\r\n`;
    const answer = await raw(port, `${head}${more}${hello}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
    expect(answer).toMatch(/nosniff/);
  });

  it('nobody for good: a caller that sends garbage or goes silent costs only its own connection', async () => {
    const { port, url, close } = await serve();
    const slow = connect(port, '127.0.0.1');
    slow.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1');
    const rude = connect(port, '127.0.0.1');
    rude.on('error', () => undefined).end('\0\0\0 nonsense\r\n\r\n');
    const client = await meet(url, 'legacy');
    expect((await client.listTools()).tools.length).toBeGreaterThan(30);
    await client.close();
    const gone = new Promise((resolve) => slow.on('error', () => undefined).once('close', resolve));
    await close();
    await gone;
  });
});
