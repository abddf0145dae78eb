// Who may do what: wrong tokens, foreign projects, missing grants, and a list that cannot be read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../../core/model/error.js';
import { startHttpServer } from '../http-server.js';
import { operationPath } from '../pages/open-api.js';
import { defaultLimits } from '../serve-options.js';
import { serveForTest, type TestServer } from '../testing/serve-for-test.js';
import { newToken, parseTokens } from './access-tokens.js';
import { listedTokens } from './token-sources.js';

const all = newToken();
const writer = newToken();
const reader = newToken();
const reviewer = newToken();
const list = {
  tokens: [
    { hash: all.hash, projects: '*', grants: ['read', 'write', 'inspect', 'run'], note: 'me' },
    { hash: writer.hash, projects: ['novel'], grants: ['read', 'write', 'run'] },
    { hash: reader.hash, projects: ['novel'], grants: ['read'] },
    { hash: reviewer.hash, projects: [], grants: ['read'], folders: true },
  ],
};
let server: TestServer;
beforeAll(async () => {
  server = await serveForTest({ tokens: listedTokens(parseTokens(JSON.stringify(list))), debug: true });
  await server.store.documents.put('secret-project', { id: 'd', text: 'x' });
});
afterAll(() => server.close());

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (id: string, request: unknown, { token } = all) =>
  server.post(operationPath(id), request, as(token));
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'x' };

describe('a token', () => {
  it('is needed, and must be one of the list', async () => {
    const path = operationPath('agents:assemble');
    const wrong = [
      {},
      as('galley_wrong'),
      as(''),
      as(all.hash),
      as(`${all.token}x`),
      { authorization: all.token },
    ];
    for (const headers of wrong) {
      const answer = await server.post(path, turn, headers as Record<string, string>);
      expect(answer).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(server.lines.at(-1)).toMatchObject({
        level: 'security',
        details: { code: 'UNAUTHENTICATED', token: 'unknown' },
      });
    }
    expect(await server.get('/metrics')).toMatchObject({ status: 401 });
    expect(await post('agents:assemble', turn)).toMatchObject({ status: 200 });
  });

  it('is never written down, only a digest of it', async () => {
    await post('agents:assemble', turn);
    const { token } = server.lines.at(-1)?.details ?? {};
    expect(token).toMatch(/^[0-9a-f]{12}$/);
    expect(JSON.stringify(server.lines)).not.toContain(all.token);
  });

  it('is refused before its request is read', async () => {
    const path = operationPath('agents:assemble');
    expect(await server.post(path, 'x'.repeat(9_000_000), as('wrong'))).toMatchObject({ status: 401 });
  });
});

describe('a token for projects', () => {
  it('reaches its own', async () => {
    const request = { projectId: 'novel', documentId: 'd', text: 'text' };
    expect(await post('documents:put', request, writer)).toMatchObject({ status: 200 });
    expect(await post('documents:list', { projectId: 'novel' }, reader)).toMatchObject({ status: 200 });
  });

  it('learns nothing about others, not even whether they exist', async () => {
    const there = await post('documents:list', { projectId: 'secret-project' }, reader);
    const missing = await post('documents:list', { projectId: 'no-such' }, reader);
    expect(there).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(there.text).toBe(missing.text);
    for (const projectId of [
      'Novel',
      ' novel',
      'novel ',
      'novel\u0000',
      '../novel',
      ['novel'],
      { novel: 1 },
      null,
      7,
    ])
      expect(await post('documents:list', { projectId }, reader)).toMatchObject({ code: 'FORBIDDEN' });
    expect(
      await server.post(
        operationPath('documents:list'),
        '{"projectId":"novel","projectId":"x"}',
        as(reader.token),
      ),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('reaches nothing that belongs to all or to none', async () => {
    const skill = '---\nname: echo\ndescription: Says it again.\n---\nSay it again.\n';
    expect(await post('skills:put', { source: skill }, writer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await post('skills:list', {}, reader)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await post('review:changes', { mode: 'working' }, reader)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await post('agents:run', turn, writer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await post('skills:lint', { projectId: 'novel', path: 'SKILL.md' }, reader)).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await post('agents:assemble', turn, reviewer)).toMatchObject({ status: 200 });
    expect(await post('documents:list', { projectId: 'novel' }, reviewer)).toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('a grant', () => {
  it('is needed for what it names', async () => {
    const request = { projectId: 'novel', documentId: 'e', text: 'text' };
    expect(await post('documents:put', request, reader)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await post('documents:get', { projectId: 'novel', documentId: 'e' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    const run = { projectId: 'novel', documentId: 'd', skillId: 'continue', dryRun: true };
    expect(await post('ai:skill:run', run, reader)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('of its own lets a caller inspect [inspect.guard]', async () => {
    const place = { projectId: 'novel', documentId: 'd', cursorPosition: 0, skillId: 'continue' };
    expect(await post('context:inspect', place, writer)).toMatchObject({
      status: 403,
      code: 'CONTEXT_INSPECT_FORBIDDEN',
    });
    expect(server.lines.at(-1)?.level).toBe('security');
    expect(await post('context:inspect', place, all)).toMatchObject({ status: 200 });
  });
});

describe('without tokens', () => {
  it('a server never listens beyond this machine', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com'])
      await expect(serveForTest({ host })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('an empty list lets nobody in', async () => {
    const closed = await serveForTest({ tokens: listedTokens([]) });
    expect(await closed.post(operationPath('agents:assemble'), turn)).toMatchObject({ status: 401 });
    await closed.close();
  });
});

describe('the list of tokens', () => {
  it('is YAML or JSON, and refused by field when it is wrong', () => {
    const refusal = (text: string) => {
      try {
        parseTokens(text);
        return 'none';
      } catch (error) {
        return isGalleyError(error) ? `${error.code} ${error.message}` : 'other';
      }
    };
    expect(refusal(`tokens:\n  - hash: ${all.hash}\n    projects: [a]\n    grants: [read]\n`)).toBe('none');
    expect(refusal('tokens:\n  - hash: plain-token\n    projects: [a]\n    grants: [read]\n')).toMatch(
      /^CONFIG_INVALID .*tokens\[0\]\.hash/,
    );
    expect(refusal(`tokens:\n  - hash: ${all.hash}\n    projects: [a]\n    grants: [root]\n`)).toMatch(
      /grants/,
    );
    expect(refusal('{{{')).toMatch(/^CONFIG_INVALID/);
    expect(refusal('')).toMatch(/^CONFIG_INVALID/);
  });

  it('is not opened by a port that is taken', async () => {
    const { port, store } = server;
    const options = { host: '127.0.0.1', port, roots: ['.'], allowHosts: [], allowOrigins: [], debug: false };
    await expect(
      startHttpServer({
        ...options,
        log: () => undefined,
        now: () => 0,
        store: async () => store,
        model: () => Promise.reject(new TypeError('none')),
        limits: defaultLimits,
      }),
    ).rejects.toMatchObject({ code: 'CONFIG_INVALID', details: { kind: 'EADDRINUSE' } });
  });
});
