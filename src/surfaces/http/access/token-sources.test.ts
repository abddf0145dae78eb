// Tokens that change while the server runs: made, taken away, ended, in the store and in a file.
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../store/store.js';
import { operationPath } from '../pages/open-api.js';
import { serveForTest, steadyStore, type TestServer } from '../testing/serve-for-test.js';
import { newToken } from './access-tokens.js';
import { eitherSource, tokensOfFile, tokensOfStore } from './token-sources.js';

const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'x' };
const day = 86_400_000;
let store: Store;
let server: TestServer;
beforeEach(async () => {
  store = await steadyStore();
});
afterEach(async () => {
  await server.close();
  await store.close();
});

const call = ({ token }: { token: string }) =>
  server.post(operationPath('agents:assemble'), turn, { authorization: `Bearer ${token}` });
const made = async (terms: object = {}, lastsMs?: number) => {
  const { token, hash } = newToken();
  const value = { projects: '*', grants: ['read'], ...terms };
  const { id } = await store.tokens.create({
    digest: hash.slice('sha256:'.length),
    value,
    ...(lastsMs === undefined ? {} : { lastsMs }),
  });
  return { token, id };
};

describe('tokens of the store', () => {
  beforeEach(async () => {
    server = await serveForTest({ tokens: tokensOfStore(async () => store) });
  });

  it('hold from the moment they are made until they are revoked', async () => {
    expect(await call(newToken())).toMatchObject({ status: 401 });
    const mine = await made();
    const other = await made();
    expect(await call(mine)).toMatchObject({ status: 200 });
    await store.tokens.revoke(mine.id);
    const refused = await call(mine);
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(refused.text).toContain('revoked');
    expect(await call(other)).toMatchObject({ status: 200 });
  });

  it('end by the time of the store', async () => {
    const { token, id } = await made({}, day);
    expect(await call({ token })).toMatchObject({ status: 200 });
    await store.tokens.change(id, (_, time) => ({ expiresAt: time }));
    const refused = await call({ token });
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(refused.text).toContain('expired');
  });

  it('reach what they reach at the time of the call', async () => {
    const { token, id } = await made({ projects: ['novel'] });
    const list = (projectId: string) =>
      server.post(operationPath('documents:list'), { projectId }, { authorization: `Bearer ${token}` });
    expect([(await list('novel')).status, (await list('diary')).status]).toEqual([200, 403]);
    await store.tokens.change(id, () => ({ value: { projects: ['diary'], grants: ['read'] } }));
    expect([(await list('novel')).status, (await list('diary')).status]).toEqual([403, 200]);
  });

  it('see the counters of all only with a grant for them, and never when they are for projects', async () => {
    const statuses: number[] = [];
    for (const terms of [
      { grants: ['read', 'write', 'inspect', 'run'] },
      { grants: ['metrics'], projects: ['novel'] },
      { grants: ['metrics'] },
    ]) {
      const { token } = await made(terms);
      statuses.push((await server.get('/metrics', { authorization: `Bearer ${token}` })).status);
    }
    expect(statuses).toEqual([403, 403, 200]);
  });
});

describe('tokens of a file', () => {
  const path = join(tmpdir(), `galley-tokens-${process.pid}.yaml`);
  const write = async (text: string) => {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  };
  const listing = (...hashes: string[]) =>
    JSON.stringify({ tokens: hashes.map((hash) => ({ hash, projects: '*', grants: ['read'] })) });
  afterEach(() => rm(path, { force: true }));

  it('are those the file holds now, beside those of the store; a file that is broken lets nobody in', async () => {
    const [first, second] = [newToken(), newToken()];
    await write(listing(first.hash));
    server = await serveForTest({
      tokens: eitherSource(
        await tokensOfFile(path),
        tokensOfStore(async () => store),
      ),
    });
    const ofStore = await made();
    expect([(await call(first)).status, (await call(second)).status, (await call(ofStore)).status]).toEqual([
      200, 401, 200,
    ]);
    await write(listing(second.hash));
    expect([(await call(first)).status, (await call(second)).status]).toEqual([401, 200]);
    await write('tokens: [nonsense');
    expect(await call(second)).toMatchObject({ status: 503, code: 'STORE_UNAVAILABLE' });
    await rm(path);
    expect(await call(second)).toMatchObject({ status: 503 });
    await write(listing(first.hash, second.hash));
    expect([(await call(first)).status, (await call(second)).status]).toEqual([200, 200]);
  });

  it('end on the day the file says', async () => {
    const [ended, lasting] = [newToken(), newToken()];
    const entry = (hash: string, expires: string) => ({ hash, projects: '*', grants: ['read'], expires });
    await write(
      JSON.stringify({
        tokens: [entry(ended.hash, '2026-11-01'), entry(lasting.hash, '2026-12-01T00:00:00Z')],
      }),
    );
    server = await serveForTest({ tokens: await tokensOfFile(path, () => Date.UTC(2026, 10, 16)) });
    expect([(await call(ended)).status, (await call(lasting)).status]).toEqual([401, 200]);
  });
});
