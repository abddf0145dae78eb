// Limits of a token in a month: calls, tokens and dollars, counted in the store for all servers that share it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../store/store.js';
import { scriptedModel } from '../../../testing/scripted-model.js';
import { operationPath } from '../pages/open-api.js';
import { serveForTest, steadyStore, type TestServer } from '../testing/serve-for-test.js';
import { newToken } from './access-tokens.js';
import { tokensOfStore } from './token-sources.js';

const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'x' };
const usage = { inputTokens: 900, outputTokens: 100 };
let held: Promise<void> = Promise.resolve();
const answer = async () => {
  await held;
  return { text: '雨停了。', usage };
};
const model = { ...scriptedModel([answer], 'anthropic/claude-sonnet-4-5'), family: 'http' as const };
const month = '2023-11';
let store: Store;
let servers: TestServer[];
beforeEach(async () => {
  store = await steadyStore();
  const open = () =>
    serveForTest({
      store: async () => store,
      tokens: tokensOfStore(async () => store),
      model: async () => model,
    });
  servers = [await open(), await open()];
});
afterEach(async () => {
  for (const server of servers) await server.close();
  await store.close();
});

async function withLimits(limits: object) {
  const { token, hash } = newToken();
  const value = { projects: '*', grants: ['read', 'write', 'run'], limits };
  const { id } = await store.tokens.create({ digest: hash.slice('sha256:'.length), value });
  const post = (name: string, request: unknown, at = 0) =>
    servers[at]!.post(operationPath(name), request, { authorization: `Bearer ${token}` });
  const spent = async () => (await store.spending.get(`token:${id}`, month)).spent;
  return { post, spent };
}

const error = (text: string) => (JSON.parse(text) as { error: { message: string; details: object } }).error;

describe('a token with limits', () => {
  it('makes so many calls in a month, at whatever server', async () => {
    const { post, spent } = await withLimits({ calls: 3 });
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await post('agents:assemble', turn, n % 2));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 402, 402]);
    expect(error(answers[4]!.text)).toMatchObject({
      code: 'COST_CEILING_REACHED',
      message: '3 of 3 calls are spent; 0 are left. It begins anew on 2023-12-01 (UTC).',
      details: { limit: 'calls', most: 3, spent: 3, left: 0, ends: '2023-12-01' },
    });
    expect((await spent()).calls).toBe(3);
  });

  const skill = { projectId: 'p', documentId: 'd', skillId: 'continue', cursorPosition: 3 };

  async function ready(limits: object) {
    await store.documents.put('p', { id: 'd', text: '雨下了一夜。' });
    return withLimits(limits);
  }

  it('spends what models took, reserved before and settled after', async () => {
    const { post, spent } = await ready({});
    await post('ai:skill:run', skill);
    expect(await spent()).toEqual({ calls: 1, tokens: 1000, microDollars: 4200 });
  });

  it.each([
    ['tokens', { tokens: 100 }],
    ['dollars', { dollars: 0.001 }],
  ])('asks no model that might pass its limit in %s', async (limit, limits) => {
    const { post, spent } = await ready(limits);
    const asked = model.requests.length;
    const answer = await post('ai:skill:run', skill);
    expect(answer).toMatchObject({ status: 402, code: 'COST_CEILING_REACHED' });
    expect(error(answer.text).details).toMatchObject({ limit, ends: '2023-12-01' });
    expect(model.requests.length).toBe(asked);
    expect(await spent()).toEqual({ calls: 1, tokens: 0, microDollars: 0 });
  });

  it('goes on until its limit is near, and never reserves for two what is enough for one', async () => {
    const { post, spent } = await ready({ tokens: 7000 });
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    const first = post('ai:skill:run', skill);
    await vi.waitFor(async () => expect((await spent()).tokens).toBeGreaterThan(1000));
    expect(await post('ai:skill:run', skill, 1)).toMatchObject({ status: 402 });
    release();
    expect(await first).toMatchObject({ status: 200 });
    expect((await spent()).tokens).toBe(1000);
    expect(await post('ai:skill:run', skill)).toMatchObject({ status: 200 });
  });

  it('starts no program whose spending nobody sees', async () => {
    const { post } = await withLimits({ dollars: 5 });
    expect(await post('agents:run', turn)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});
