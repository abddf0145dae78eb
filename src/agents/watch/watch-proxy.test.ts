// Between a client and a provider on this machine: bytes are the same on both sides, failures look as they do without the proxy,
// and no key is in anything the record holds.
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { builtInCatalog } from '../../models/catalog/catalog.js';
import { openProxy } from '../../network/testing/open-proxy.js';
import { type Loopback, openLoopback } from '../../testing/loopback/open-loopback.js';
import { openWatchProxy } from './watch-proxy.js';
import { createWatchRecord } from './watch-record.js';

const key = 'sk-ant-api03-KEY-THAT-NOBODY-MAY-SEE';
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function watching(upstream: string, environment: NodeJS.ProcessEnv = {}) {
  const record = createWatchRecord({ catalog: builtInCatalog, clock: () => 0, show: (path) => path });
  const proxy = await openWatchProxy({ upstream: () => upstream, environment, listen: record.listen });
  closing.push(proxy.close);
  return { proxy, record, report: async () => proxy.close().then(() => record.finish()) };
}

async function loopbackOf(options: Parameters<typeof openLoopback>[0] = {}): Promise<Loopback> {
  const loopback = await openLoopback({ cache: false, ...options });
  closing.push(loopback.close);
  return loopback;
}

const message = (stream: boolean, text = 'Grüße, 你好') => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  stream,
  messages: [{ role: 'user', content: text }],
});
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    body: JSON.stringify(body),
  });

/** Answers with whatever it was sent, and tells how. */
async function openEcho() {
  const seen: { raw: string[]; url: string; body: Buffer }[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    seen.push({ raw: incoming.rawHeaders, url: incoming.url ?? '', body });
    response.writeHead(207, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Odd-Case', 'Kept']).end(body);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  closing.push(() => new Promise((done) => void server.close(done)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe('what passes', () => {
  it.each([
    ['context-1m-2025-08-07,other', 1_000_000],
    ['other', 200_000],
  ])('asks for its window by a header: %s', async (betas, windowTokens) => {
    const loopback = await loopbackOf();
    const { proxy, report } = await watching(loopback.url);
    await (await post(proxy.url, message(false), { 'anthropic-beta': betas })).text();
    expect((await report()).conversations).toMatchObject([{ windowTokens }]);
  });

  it('is the same bytes both ways: odd paths, repeated headers, binary bodies', async () => {
    const echo = await openEcho();
    const { proxy } = await watching(`${echo.url}/base/`);
    const body = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 7) % 256));
    const target = new URL(proxy.url);
    const answer = await new Promise<{ status?: number; raw: string[]; body: Buffer }>((resolve, reject) => {
      const request = httpRequest(
        {
          host: target.hostname,
          port: target.port,
          method: 'PUT',
          path: `${target.pathname}/a//b/../%7Ec?key=${key}&x=%20`,
          headers: ['Host', target.host, 'X-Twice', '1', 'X-Twice', '2', 'Authorization', `Bearer ${key}`],
        },
        async (incoming) => {
          const chunks: Buffer[] = [];
          for await (const chunk of incoming) chunks.push(chunk as Buffer);
          resolve({
            status: incoming.statusCode ?? 0,
            raw: incoming.rawHeaders,
            body: Buffer.concat(chunks),
          });
        },
      );
      request.once('error', reject).end(body);
    });
    const [got] = echo.seen;
    expect(got?.url).toBe(`/base/a//b/../%7Ec?key=${key}&x=%20`);
    expect(got?.body.equals(body)).toBe(true);
    expect(got?.raw.join('\n')).toContain(
      ['X-Twice', '1', 'X-Twice', '2', 'Authorization', `Bearer ${key}`].join('\n'),
    );
    expect(answer.status).toBe(207);
    expect(answer.body.equals(body)).toBe(true);
    expect(answer.raw.join('\n')).toContain('Set-Cookie\na=1\nSet-Cookie\nb=2\nX-Odd-Case\nKept');
  });

  it.each([true, false])('is answered as without it, streamed: %s', async (stream) => {
    const loopback = await loopbackOf({ script: [{ text: 'Hello, 世界.' }, { text: 'Hello, 世界.' }] });
    const { proxy } = await watching(loopback.url);
    const straight = await (await post(loopback.url, message(stream))).text();
    const through = await (await post(proxy.url, message(stream))).text();
    const [first, second] = loopback.calls;
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(second?.path).toBe(first?.path);
    const same = (text: string) => text.replaceAll(/_loopback_?\d+|\d{4,}|[a-z]+_\d+/g, '');
    expect(same(through)).toBe(same(straight));
  });

  it('keeps many requests at once apart', async () => {
    const loopback = await loopbackOf({ script: (call) => ({ text: JSON.stringify(call.body).slice(-20) }) });
    const { proxy, report } = await watching(loopback.url);
    const texts = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => (await post(proxy.url, message(false, `n${at}.`))).text()),
    );
    for (const [at, text] of texts.entries()) expect(text).toContain(`n${at}.`);
    expect(await report()).toMatchObject({ requests: 40, unread: 0, failures: [] });
  });

  it('is not for those who do not know the address', async () => {
    const loopback = await loopbackOf();
    const { proxy } = await watching(loopback.url);
    const { origin } = new URL(proxy.url);
    expect((await post(origin, message(false))).status).toBe(404);
    expect((await post(`${proxy.url}0`, message(false))).status).toBe(404);
    expect(loopback.calls).toHaveLength(0);
  });

  it('goes through the proxy of a company, over https in a tunnel', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const loopback = await loopbackOf();
    const company = await openProxy({ server: loopback.url });
    const { proxy } = await watching('https://models.example', { HTTPS_PROXY: `http://${company.address}` });
    expect((await post(proxy.url, message(true))).status).toBe(200);
    expect(company.passed).toEqual([{ way: 'tunnel', to: 'models.example:443' }]);
    expect(loopback.calls[0]?.headers.host).toBe('models.example');
    vi.unstubAllEnvs();
  });

  it('is read where it is compressed, and passes as it was', async () => {
    const loopback = await openEcho();
    const { proxy, report } = await watching(loopback.url);
    const packed = gzipSync(JSON.stringify(message(false)));
    const headers = { 'content-encoding': 'gzip' };
    await fetch(`${proxy.url}/v1/messages`, { method: 'POST', headers, body: packed });
    expect(loopback.seen[0]?.body.equals(packed)).toBe(true);
    expect(await report()).toMatchObject({ requests: 1, unread: 0 });
  });
});

describe('what fails upstream', () => {
  it('keeps its status, body and headers', async () => {
    const loopback = await loopbackOf({
      failures: { 1: { kind: 'status', status: 529, retryAfter: 7, message: 'Overloaded' } },
    });
    const { proxy, report } = await watching(loopback.url);
    const answer = await post(proxy.url, message(true));
    expect(answer.status).toBe(529);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(await answer.text()).toContain('Overloaded');
    expect((await report()).failures).toEqual([{ what: '529', count: 1 }]);
  });

  it('ends the connection where there is no answer, or half of one', async () => {
    const loopback = await loopbackOf({ failures: { 1: { kind: 'reset' }, 2: { kind: 'cut' } } });
    const { proxy, report } = await watching(loopback.url);
    await expect(post(proxy.url, message(true))).rejects.toThrow();
    const half = await post(proxy.url, message(true));
    expect(half.status).toBe(200);
    await expect(half.text()).rejects.toThrow();
    await loopback.down();
    await expect(post(proxy.url, message(true))).rejects.toThrow();
    const { failures, newest } = await report();
    expect(failures.map(({ what }) => what)).toContain('ECONNREFUSED');
    expect(newest.map(({ ending }) => ending)).toEqual(['unreachable', 'cut', 'unreachable']);
  });

  it('waits as long as the client does, and lets go with it', async () => {
    const loopback = await loopbackOf({ failures: { 1: { kind: 'stall', after: 'chunk' } } });
    const { proxy, report } = await watching(loopback.url);
    const leaving = new AbortController();
    const answer = await fetch(`${proxy.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(message(true)),
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    leaving.abort();
    await expect.poll(() => loopback.calls[0]?.ending).toBe('left');
    expect((await report()).newest).toMatchObject([{ ending: 'left', status: 200 }]);
  });

  it('does not keep the proxy open', async () => {
    const loopback = await loopbackOf({ failures: { 1: { kind: 'stall', after: 'nothing' } } });
    const { proxy, report } = await watching(loopback.url);
    const asked = post(proxy.url, message(true)).catch(() => 'gone');
    await expect.poll(() => loopback.calls.length).toBe(1);
    expect((await report()).newest).toMatchObject([{ ending: 'left' }]);
    expect(await asked).toBe('gone');
  });
});

it('holds no key, wherever it was sent', async () => {
  const loopback = await loopbackOf();
  const { proxy, report } = await watching(loopback.url);
  const headers = { authorization: `Bearer ${key}`, cookie: `k=${key}`, 'x-goog-api-key': key };
  await (await post(proxy.url, message(true), headers)).text();
  await (await fetch(`${proxy.url}/v1beta/models?key=${key}`, { headers })).text();
  await (
    await fetch(`${proxy.url}/api/accounts/${key}/telemetry`, { method: 'POST', headers, body: '{}' })
  ).text();
  const seen = await report();
  expect(seen.requests).toBe(1);
  expect(seen.others).toEqual([
    { what: 'GET /v1beta/models', count: 1 },
    { what: 'POST /api/accounts/…/telemetry', count: 1 },
  ]);
  expect(JSON.stringify(seen)).not.toContain(key);
  expect(loopback.calls[0]?.headers['x-api-key']).toBe('(masked)');
});
