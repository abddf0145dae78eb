// A server that closes: what runs is finished or, after a while, cancelled; what comes is turned away; nothing said is lost.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { scratchFolder } from '../../git/testing/scratch-repository.js';
import { openStore } from '../../store/sqlite/open-store.js';
import { type FakeAgent, installFakeAgent } from '../../testing/fake-agent/install-fake-agent.js';
import { operationPath } from './pages/open-api.js';
import { serveForTest } from './testing/serve-for-test.js';

const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };

async function withAgent(
  behaviour: string,
  work: (folder: string, begun: () => Promise<void>, fake: FakeAgent) => Promise<void>,
) {
  const folder = scratchFolder();
  const fake = installFakeAgent(folder, 'claude', behaviour);
  vi.stubEnv('GALLEY_CLAUDE', join(folder, 'claude'));
  try {
    await work(folder, () => vi.waitFor(() => expect(fake.call()).toBeDefined(), 60_000), fake);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('closing', () => {
  it('says that it leaves on open and new connections, while it still answers calls', async () => {
    const server = await serveForTest();
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (path: string, agent: Agent | undefined) =>
      new Promise((resolve, reject) => {
        const asked = get(`${server.address}${path}`, { agent }, (answer) => {
          answer.resume().once('end', () => resolve([answer.statusCode, asked.reusedSocket]));
        });
        asked.once('error', reject);
      });
    expect(await ask('/readyz', kept)).toEqual([200, false]);
    server.leave();
    for (const path of ['/readyz', '/healthz']) {
      expect(await ask(path, kept)).toEqual([503, true]);
      expect(await server.get(path)).toMatchObject({ status: 503, text: '{"status":"closing"}' });
    }
    const list = await server.post(operationPath('documents:list'), { projectId: 'p' });
    expect(list.status).toBe(200);
    kept.destroy();
    await server.close();
  });

  it('lets a call that runs finish', () =>
    withAgent('when-released', async (folder, begun, fake) => {
      const server = await serveForTest({ roots: [folder] });
      const answer = server.post(operationPath('agents:run'), turn);
      await begun();
      const closed = server.close();
      fake.release();
      await closed;
      expect(await answer).toMatchObject({ status: 200 });
    }));

  it('cancels what runs for too long', () =>
    withAgent('begin-hang', async (folder, begun) => {
      const server = await serveForTest({ roots: [folder], limits: { graceMs: 50 } });
      const plain = server.post(operationPath('agents:run'), turn);
      const events = server.post(operationPath('agents:run'), turn, { accept: 'text/event-stream' });
      await begun();
      await vi.waitFor(async () => {
        const { text } = await server.get('/metrics');
        expect(text).toContain('galley_calls_running 2');
      }, 60_000);
      await server.close();
      expect(await plain).toMatchObject({ status: 499, code: 'CANCELLED' });
      // As the last event, or as the answer where the first one had not come yet.
      expect((await events).text).toContain('{"error":{"code":"CANCELLED"');
    }));

  it('turns new calls away on connections that are still open', () =>
    withAgent('when-released', async (folder, begun, fake) => {
      const server = await serveForTest({ roots: [folder] });
      const running = server.post(operationPath('agents:run'), turn);
      await begun();
      // A connection with half a request is not idle, so it outlives the beginning of the end.
      const socket = connect(server.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      const start = `POST ${operationPath('agents:assemble')} HTTP/1.1\r\nhost: localhost\r\n`;
      await new Promise((sent) => socket.write(start, sent));
      // Connections are taken in the order they come: whoever is answered now came after it.
      await server.get('/healthz');
      const closed = server.close();
      socket.write('content-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
      await once(socket, 'close');
      expect(answer).toMatch(/^HTTP\/1\.1 429 .*connection: close.*"CONTEXT_BACKPRESSURE"/is);
      fake.release();
      expect(await running).toMatchObject({ status: 200 });
      await closed;
      await expect(server.get('/healthz')).rejects.toThrow();
    }));

  it('keeps every write that was answered', async () => {
    const folder = scratchFolder();
    const file = { path: join(folder, 'galley.db'), now: () => 0 };
    const store = await openStore(file);
    const server = await serveForTest({ store: async () => store });
    const answered: string[] = [];
    const writes = Array.from({ length: 80 }, async (_, n) => {
      const request = { projectId: 'p', documentId: `d${n}`, text: `text ${n}` };
      const answer = await server.post(operationPath('documents:put'), request).catch(() => undefined);
      if (answer?.status === 200) answered.push(request.documentId);
    });
    await vi.waitFor(() => expect(answered.length).toBeGreaterThan(0), 60_000);
    await server.close();
    await store.close();
    await Promise.all(writes);
    const again = await openStore(file);
    const kept = new Set((await again.documents.list('p')).map(({ id }) => id));
    await again.close();
    rmSync(folder, { recursive: true, force: true });
    expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  });
});
