// What someone sends who wants more than an answer: two readings of one request, packed or bottomless bodies, connections that
// only hold on.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import { installFakeAgent } from '../../testing/fake-agent/install-fake-agent.js';
import { newToken, parseTokens } from './access/access-tokens.js';
import { listedTokens } from './access/token-sources.js';
import { operationPath } from './pages/open-api.js';
import { serveForTest, type TestServer } from './testing/serve-for-test.js';

const path = operationPath('agents:assemble');
const turn = '{"agentType":"claude","contextMessages":[],"currentMessage":"a secret sentence"}';
const json = 'content-type: application/json\r\n';
const others: TestServer[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await serveForTest();
});
afterAll(() => server.close());
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const other of others.splice(0)) await other.close();
});

async function another(...options: Parameters<typeof serveForTest>): Promise<TestServer> {
  const made = await serveForTest(...options);
  others.push(made);
  return made;
}

const get = (target: string, more = 'host: localhost\r\n') =>
  server.raw(`GET ${target} HTTP/1.1\r\n${more}connection: close\r\n\r\n`);

const post = (more: string, body: string) =>
  server.raw(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${more}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );

describe('a request that can be read in two ways', () => {
  it('is refused when it names two machines', async () => {
    for (const hosts of [
      'host: localhost\r\nhost: evil.example\r\n',
      'host: evil.example\r\nhost: localhost\r\n',
    ])
      expect(await get('/healthz', hosts)).toMatch(/^HTTP\/1\.1 403 .*"FORBIDDEN"/s);
    expect(await get('http://evil.example/healthz')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await get('http://localhost/healthz')).toMatch(/^HTTP\/1\.1 200 /);
    expect(server.lines.filter(({ level }) => level === 'security').length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(server.lines)).not.toContain('evil');
  });

  it('is refused when its path turns back or hides a slash', async () => {
    for (const target of [
      '/docs/../metrics',
      '/v1/%2e%2e/metrics',
      '/./metrics',
      '/v1/agents%2fassemble',
      '/docs/..',
    ])
      expect(await get(target), target).toMatch(/^HTTP\/1\.1 404 .*"UNKNOWN_OPERATION"/s);
  });

  it('is refused in our own words when it names no machine or expects wonders', async () => {
    expect(await get('/healthz', '')).toMatch(/^HTTP\/1\.1 400 .*nosniff.*"INVALID_ARGUMENT"/s);
    expect(await post(`${json}expect: a-wonder\r\n`, turn)).toMatch(/^HTTP\/1\.1 417 .*"INVALID_ARGUMENT"/s);
  });

  it('is refused when it has two lengths', async () => {
    const two = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${json}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`;
    expect(await server.raw(two)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('a form of another page', () => {
  it('is refused although it leads here', async () => {
    const from = 'sec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\n';
    expect(await post(`${json}${from}`, turn)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await get('/healthz', `host: localhost\r\n${from}sec-fetch-dest: iframe\r\n`)).toMatch(
      /^HTTP\/1\.1 403 /,
    );
  });
});

describe('a body', () => {
  it('that is packed, or says so, is refused', async () => {
    for (const body of [gzipSync(turn), turn]) {
      const answer = await fetch(server.address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body,
      });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('content-encoding');
    }
  });

  it('that is bottomless is refused as such', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(await post(json, deep(100_000))).toMatch(/^HTTP\/1\.1 400 .*nested too deeply/s);
    expect(await post(json, deep(100))).toMatch(/^HTTP\/1\.1 400 .*"field":"/s);
  });

  it('is not asked for when its sender is refused anyway', async () => {
    const strict = await another({ tokens: listedTokens([]) });
    const asked = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${json}expect: 100-continue\r\ncontent-length: 50\r\n`;
    expect(await strict.raw(`${asked}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await server.raw(`${asked}origin: http://evil.example\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
    const welcome = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${json}expect: 100-continue\r\ncontent-length: ${turn.length}\r\nconnection: close\r\n\r\n${turn}`;
    expect(await server.raw(welcome)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });
});

describe('a connection', () => {
  const silent = (port: number): Socket =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .pause();

  it('on which too many requests wait is ended', async () => {
    const { token, hash } = newToken();
    const list = { tokens: [{ hash, projects: '*', grants: ['metrics'] }] };
    const strict = await another({ tokens: listedTokens(parseTokens(JSON.stringify(list))) });
    const socket = silent(strict.port);
    const closed = once(socket, 'close');
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(200));
    await vi.waitFor(() => {
      const codes = strict.lines.map(({ details }) => details?.code);
      expect(codes.filter((code) => code === 'CONTEXT_BACKPRESSURE')).toHaveLength(1);
      expect(codes.length).toBeLessThan(60);
      expect(strict.lines.length).toBeGreaterThan(1);
    }, 20_000);
    socket.resume();
    await closed;
    const { text } = await strict.get('/metrics', { authorization: `Bearer ${token}` });
    expect(text).toContain('code="CONTEXT_BACKPRESSURE"');
  });

  it('with a slow answer outlives the patience for readers', async () => {
    const folder = scratchFolder();
    installFakeAgent(folder, 'claude', 'late');
    vi.stubEnv('GALLEY_CLAUDE', `${folder}/claude`);
    const impatient = await another({ roots: [folder], limits: { idleMs: 50 } });
    expect(await impatient.post(operationPath('agents:run'), turn)).toMatchObject({ status: 200 });
    rmSync(folder, { recursive: true, force: true });
  });

  it('that speaks nonsense during an answer gets no second one into it', async () => {
    const folder = scratchFolder();
    installFakeAgent(folder, 'claude', 'begin-hang');
    vi.stubEnv('GALLEY_CLAUDE', `${folder}/claude`);
    const streaming = await another({ roots: [folder], limits: { heartbeatMs: 50 } });
    const socket = connect(streaming.port, '127.0.0.1').on('error', () => undefined);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    const run = `POST ${operationPath('agents:run')} HTTP/1.1\r\nhost: localhost\r\n${json}accept: text/event-stream\r\n`;
    socket.write(`${run}content-length: ${turn.length}\r\n\r\n${turn}`);
    await vi.waitFor(() => expect(heard).toContain('still here'), 20_000);
    const closed = once(socket, 'close');
    socket.write('NONSENSE\r\n\r\n');
    await closed;
    expect(heard.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(streaming.lines.some(({ details }) => details?.code === 'INVALID_ARGUMENT')).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  });

  it('that has not asked for anything yet does not keep a server that ends', async () => {
    const ending = await serveForTest({
      limits: { graceMs: 600_000, headersMs: 500_000, requestMs: 500_000 },
    });
    const half = [
      '',
      'POST /v1/agents/assemble HTTP/1.1\r\nhost: ',
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${json}content-length: 50\r\n\r\n{`,
    ].map((start) => {
      const socket = silent(ending.port).resume();
      const closed = once(socket, 'close');
      return { closed, sent: new Promise((sent) => socket.write(start, sent)) };
    });
    await Promise.all(half.map(({ sent }) => sent));
    // Connections are taken in the order they come: whoever is answered now came after all of them.
    await ending.get('/healthz');
    await ending.close();
    await Promise.all(half.map(({ closed }) => closed));
  });
});
