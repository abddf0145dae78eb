// What strangers, broken clients and web pages send: refused with the right code, in the same form, logged as a digest.
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../core/model/error.js';
import { operationPath } from './pages/open-api.js';
import { type HttpAnswer, serveForTest, type TestServer } from './testing/serve-for-test.js';

const path = operationPath('agents:assemble');
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'a secret sentence' };
const others: TestServer[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await serveForTest({ limits: { bodyBytes: 100_000 } });
});
afterAll(() => server.close());
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
});

async function another(...options: Parameters<typeof serveForTest>): Promise<TestServer> {
  const made = await serveForTest(...options);
  others.push(made);
  return made;
}

function refused({ status, code, text }: HttpAnswer, expected: keyof typeof errorTable): void {
  expect({ status, code, text }).toEqual({ status: errorTable[expected].http, code: expected, text });
  expect(text).not.toMatch(/secret|\/tmp|\bat .*:\d+/);
  expect(server.lines.at(-1)?.details).toMatchObject({ code: expected });
  expect(JSON.stringify(server.lines)).not.toContain('secret');
}

const bodyOf = (raw: string) =>
  JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4)) as { error: { code: string } };

describe('a body', () => {
  it('must be JSON, in UTF-8, and say so', async () => {
    refused(await server.post(path, '{"agentType": "secret'), 'INVALID_ARGUMENT');
    refused(await server.post(path, turn, { 'content-type': 'text/plain' }), 'INVALID_ARGUMENT');
    refused(
      await server.post(path, turn, { 'content-type': 'application/json; charset=gbk' }),
      'INVALID_ARGUMENT',
    );
    const broken = await fetch(server.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } });
  });

  it('may be left out when nothing is asked for', async () => {
    expect(await server.post(operationPath('skills:list'), '')).toMatchObject({ status: 200 });
  });

  it('that says it is too large is refused before it is sent', async () => {
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
    const answer = await server.raw(`${head}content-length: 100001\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(bodyOf(answer).error.code).toBe('PAYLOAD_TOO_LARGE');
    const asked = await server.raw(`${head}expect: 100-continue\r\ncontent-length: 100001\r\n\r\n`);
    expect(asked).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('that turns out to be too large is refused while it comes', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(20_000).fill(0x20)),
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    };
    const answer = await fetch(server.address + path, init as RequestInit);
    expect(answer.status).toBe(413);
    expect(server.lines.at(-1)).toMatchObject({ level: 'security', details: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('is refused when all bodies together would be too large', async () => {
    const small = await another({ limits: { allBodyBytes: 1000 } });
    const answer = await small.post(path, { ...turn, currentMessage: 'x'.repeat(2000) });
    expect(answer).toMatchObject({ status: 429, code: 'CONTEXT_BACKPRESSURE' });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await small.post(path, turn)).toMatchObject({ status: 200 });
  });
});

describe('a path', () => {
  it('that leads nowhere is refused in the same form', async () => {
    for (const wrong of [
      '/v1/no/such',
      '/v1',
      '/v2/agents/assemble',
      '/v1/agents%2Fassemble',
      '/v1//agents/assemble',
    ])
      refused(await server.post(wrong, turn), 'UNKNOWN_OPERATION');
    refused(await server.get('/etc/passwd'), 'UNKNOWN_OPERATION');
    for (const id of ['__proto__', 'constructor', 'toString'])
      refused(await server.post(`/v1/${id}`, turn), 'UNKNOWN_OPERATION');
  });

  it('never leads up', async () => {
    for (const up of ['/v1/../../etc/passwd', '/..%2f..%2fetc/passwd', '/v1/agents/..\\..\\x']) {
      const answer = await server.raw(`GET ${up} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(bodyOf(answer).error.code).toMatch(/UNKNOWN_OPERATION|INVALID_ARGUMENT/);
    }
  });

  it('says which methods it takes', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
      const answer = await fetch(server.address + path, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    }
    const options = await fetch(server.address + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    const head = await fetch(`${server.address}/healthz`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('an id that looks like a path', () => {
  it('is a name and nothing else', async () => {
    const id = '../../etc/passwd';
    const put = { projectId: id, documentId: id, text: 'x' };
    expect(await server.post(operationPath('documents:put'), put)).toMatchObject({ status: 200 });
    refused(
      await server.post(operationPath('documents:get'), { projectId: 'p', documentId: id }),
      'NOT_FOUND',
    );
    refused(await server.post(operationPath('receipts:get'), { projectId: id, id }), 'NOT_FOUND');
    refused(await server.post(operationPath('skills:get'), { projectId: id, skillId: id }), 'NOT_FOUND');
  });
});

describe('a web page', () => {
  it('of another origin is refused, whatever it asks for', async () => {
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost.evil.example',
      'https://localhost',
    ]) {
      refused(await server.post(path, turn, { origin }), 'FORBIDDEN');
      refused(await server.get('/metrics', { origin }), 'FORBIDDEN');
    }
    const asked = await fetch(server.address + path, {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('that only embeds is refused, one that links is not', async () => {
    const request = (mode: string) =>
      server.raw(
        `GET /healthz HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: ${mode}\r\nconnection: close\r\n\r\n`,
      );
    expect(await request('no-cors')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await request('navigate')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('of our own origin is served, and so is an allowed one', async () => {
    expect(await server.post(path, turn, { origin: server.address })).toMatchObject({ status: 200 });
    const open = await another({ allowOrigins: ['https://app.example'] });
    const answer = await open.post(path, turn, { origin: 'https://app.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(await open.post(path, turn, { origin: 'https://other.example' })).toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('that reaches us by a name of its own is refused', async () => {
    const ask = (at: TestServer, host: string) =>
      at.raw(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    for (const host of [
      'evil.example',
      `evil.example:${server.port}`,
      '127.0.0.1.evil.example',
      '10.0.0.1',
      '',
    ])
      expect(await ask(server, host), host).toMatch(/^HTTP\/1\.1 40[03] /);
    for (const host of ['localhost', `127.0.0.1:${server.port}`, '[::1]:9', 'LOCALHOST:1'])
      expect(await ask(server, host), host).toMatch(/^HTTP\/1\.1 200 /);
    const named = await another({ allowHosts: ['galley.internal'] });
    expect(await ask(named, 'galley.internal:80')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a caller', () => {
  it('that sends slowly is let go, whether in its head or its body', async () => {
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
    const quickHeads = await another({ limits: { headersMs: 200 } });
    const slowHead = await quickHeads.raw(`${head}x-a:`);
    expect(slowHead).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(slowHead).error.code).toBe('TIMEOUT');
    expect(await quickHeads.post(path, turn)).toMatchObject({ status: 200 });
    const quickBodies = await another({ limits: { headersMs: 200, requestMs: 400 } });
    expect(await quickBodies.raw(`${head}content-length: 50\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 408 /);
    for (const { lines } of [quickHeads, quickBodies])
      expect(lines.filter(({ details }) => details?.code === 'TIMEOUT')).toHaveLength(1);
  });

  it('that does not speak HTTP, or has too much to say about itself, is told so', async () => {
    expect(bodyOf(await server.raw('GALLEY\r\n\r\n')).error.code).toBe('INVALID_ARGUMENT');
    const long = await server.raw(`GET / HTTP/1.1\r\nhost: localhost\r\nx-a: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('that asks too often is told to wait', async () => {
    const strict = await another({ limits: { perSecond: 1 }, now: () => 0 });
    const codes: (string | undefined)[] = [];
    for (let turns = 0; turns < 3; turns += 1) codes.push((await strict.post(path, turn)).code);
    expect(codes).toEqual([undefined, undefined, 'CONTEXT_BACKPRESSURE']);
  });

  it('that opens too many connections gets no more', async () => {
    const strict = await another({ limits: { connections: 2 } });
    const open = [1, 2, 3].map(() => connect(strict.port, '127.0.0.1'));
    await Promise.race(
      open.map((socket) => new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))),
    );
    for (const socket of open) socket.destroy();
  });
});
