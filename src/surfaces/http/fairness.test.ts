// One caller with far more than its share beside another: on the real server, with real calls.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { newToken, parseTokens } from './access/access-tokens.js';
import { listedTokens } from './access/token-sources.js';
import { operationPath } from './pages/open-api.js';
import { type HttpAnswer, serveForTest, type TestServer } from './testing/serve-for-test.js';

const [flood, modest] = [newToken(), newToken()];
const grants = ['read', 'write'];
const list = { tokens: [flood, modest].map(({ hash }) => ({ hash, projects: '*', grants })) };
const tokens = listedTokens(parseTokens(JSON.stringify(list)));
const text = '雨下了一夜，他没有睡。'.repeat(200);
const servers: TestServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(limits = {}) {
  const server = await serveForTest({ tokens, limits });
  servers.push(server);
  const put = ({ token }: { token: string }, documentId: string): Promise<HttpAnswer> =>
    server.post(
      operationPath('documents:put'),
      { projectId: 'p', documentId, text: text + documentId },
      { authorization: `Bearer ${token}` },
    );
  return { server, put };
}

describe('a busy server', () => {
  let isOver = false;
  afterEach(() => {
    isOver = true;
  });

  it('refuses none of twenty calls beside thirty-two loops of another', async () => {
    const { put } = await serve();
    let flooded = 0;
    const loops = Array.from({ length: 32 }, async (_, loop) => {
      for (let n = 0; !isOver; n += 1) {
        await put(flood, `flood ${loop} ${n % 4}`);
        flooded += 1;
      }
    });
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push((await put(modest, `modest ${n}`)).status);
    isOver = true;
    await Promise.all(loops);
    expect(statuses).toEqual(Array(20).fill(200));
    expect(flooded).toBeGreaterThan(20);
  });

  it('takes 150 documents sent thirty-two at a time, all of them', async () => {
    const { put, server } = await serve();
    const statuses: number[] = [];
    const names = Array.from({ length: 150 }, (_, n) => `document ${n}`);
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        for (let name = names.pop(); name !== undefined; name = names.pop())
          statuses.push((await put(modest, name)).status);
      }),
    );
    expect(statuses).toEqual(Array(150).fill(200));
    expect((await server.store.documents.list('p')).length).toBe(150);
  });

  it('says how many at once are good, and when to come back, to who sends too many', async () => {
    const { put } = await serve({ waiting: 3, queued: 3, atOnce: 1 });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => put(flood, `d ${n}`)));
    const refused = answers.find(({ status }) => status === 429);
    const { error } = JSON.parse(refused?.text ?? '{}') as { error: { code: string; details: object } };
    expect(error).toMatchObject({ code: 'CONTEXT_BACKPRESSURE', details: { atOnce: 4, retryAfter: 1 } });
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  });
});
