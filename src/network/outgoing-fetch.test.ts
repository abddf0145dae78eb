import { inspect } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { GalleyError } from '../core/model/error.js';
import { findForge } from '../forges/find-forge.js';
import { findModel } from '../models/find-model.js';
import { openLoopback } from '../testing/loopback/open-loopback.js';
import { embeddingsFrom } from '../writing/retrieval/embedding-source.js';
import { outgoingFetch } from './outgoing-fetch.js';
import { deadAddress, openProxy } from './testing/open-proxy.js';

const password = 'p@ss-word';

async function stage(options: { login?: string; status?: number } = {}) {
  const loopback = await openLoopback({ cache: false });
  onTestFinished(() => loopback.close());
  return { loopback, proxy: await openProxy({ server: loopback.url, ...options }) };
}

/** The certificate of the tests is nobody's. */
function trustAnybody(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
}

async function ask(name: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const model = await findModel(name, { folder: '.', environment });
  const { text } = await model.run(
    { prompt: 'hello', timeouts: { firstByteMs: 30_000, totalMs: 30_000 } },
    { signal: new AbortController().signal },
  );
  return text;
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('a refusal was due'),
    (error: unknown) => error as GalleyError,
  );

afterEach(() => vi.unstubAllEnvs());

describe('calls behind a proxy', () => {
  it('reach a model over https through a tunnel', async () => {
    trustAnybody();
    const { loopback, proxy } = await stage();
    const environment = {
      OPENAI_API_KEY: 'sk-key',
      OPENAI_BASE_URL: 'https://models.example/v1',
      HTTPS_PROXY: `http://${proxy.address}`,
    };
    expect(await ask('openai/gpt-4o', environment)).not.toBe('');
    expect(proxy.passed).toEqual([{ way: 'tunnel', to: 'models.example:443' }]);
    expect(loopback.calls).toHaveLength(1);
  });

  it('reach a model over http in absolute form, with the login of the address', async () => {
    const { loopback, proxy } = await stage({ login: `me:${password}` });
    const environment = {
      GALLEY_BASE_URL: 'http://models.example:8000/v1',
      HTTP_PROXY: `me:${encodeURIComponent(password)}@${proxy.address}`,
    };
    expect(await ask('custom/small', environment)).not.toBe('');
    expect(proxy.passed).toEqual([{ way: 'absolute', to: 'http://models.example:8000/v1/chat/completions' }]);
    expect(JSON.stringify(loopback.calls)).not.toContain('proxy-authorization');
  });

  it('reach a host of pull requests and an embedding server', async () => {
    trustAnybody();
    const { proxy } = await stage();
    const proxies = { HTTPS_PROXY: proxy.address, HTTP_PROXY: proxy.address };
    const { forge } = await findForge({
      asked: 'https://github.com/owner/name/pull/1',
      environment: { GITHUB_TOKEN: 'token', ...proxies },
      remotes: async () => [],
      keptToken: async () => undefined,
    });
    await refusal(forge.read(1));
    const embeddings = embeddingsFrom({
      GALLEY_EMBEDDINGS_URL: 'http://vectors.example/v1',
      GALLEY_EMBEDDINGS_MODEL: 'small',
      ...proxies,
    });
    expect(await embeddings?.embed(['a'])).toHaveLength(1);
    expect(proxy.passed.map(({ to }) => to)).toEqual(
      expect.arrayContaining(['api.github.com:443', 'http://vectors.example/v1/embeddings']),
    );
  });

  it('go straight to this machine and to listed hosts', async () => {
    const { loopback, proxy } = await stage();
    const environment = { HTTP_PROXY: proxy.address, NO_PROXY: 'inside.invalid' };
    expect(await ask('custom/small', { ...environment, GALLEY_BASE_URL: `${loopback.url}/v1` })).not.toBe('');
    await expect(outgoingFetch(environment, 'MODEL_UNAVAILABLE')('http://inside.invalid/')).rejects.toThrow(
      'fetch failed',
    );
    expect(loopback.calls).toHaveLength(1);
    expect(proxy.passed).toEqual([]);
  });

  it('go Node’s own way where no proxy is named', () => {
    expect(outgoingFetch({ NO_PROXY: '*' }, 'MODEL_UNAVAILABLE')).toBe(globalThis.fetch);
  });
});

describe('a proxy that does not let a call through', () => {
  const https = { OPENAI_API_KEY: 'sk-key', OPENAI_BASE_URL: 'https://models.example/v1' };
  const http = { GALLEY_BASE_URL: 'http://models.example/v1' };

  it.each([
    ['openai/gpt-4o', https, 'HTTPS_PROXY'],
    ['custom/small', http, 'HTTP_PROXY'],
  ])('is named by its variable when it is dead (%s)', async (name, settings, variable) => {
    const login = `me:${encodeURIComponent(password)}`;
    const environment = { ...settings, [variable]: `http://${login}@${await deadAddress()}` };
    const error = await refusal(ask(name, environment));
    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: `${variable} names a proxy that cannot be reached; correct or unset it, or list the host in NO_PROXY.`,
      details: { reason: 'proxy-unreachable', variable },
    });
    expect(inspect(error, { depth: 10 })).not.toMatch(/p@ss|p%40ss|me:|127\.0\.0\.1|bWU6/);
  });

  it.each([
    ['openai/gpt-4o', https, 'HTTPS_PROXY'],
    ['custom/small', http, 'HTTP_PROXY'],
  ])('wants a login (%s)', async (name, settings, variable) => {
    const { proxy } = await stage({ login: `me:${password}` });
    const environment = { ...settings, [variable]: `http://me:wrong-word@${proxy.address}` };
    const error = await refusal(ask(name, environment));
    expect(error).toMatchObject({ details: { reason: 'proxy-login', variable } });
    expect(inspect(error, { depth: 10 })).not.toMatch(/wrong-word/);
  });

  it('refuses the host, or fails for a while', async () => {
    const forbidding = await stage({ status: 403 });
    const refused = await refusal(ask('openai/gpt-4o', { ...https, HTTPS_PROXY: forbidding.proxy.address }));
    expect(refused).toMatchObject({ code: 'MODEL_UNAVAILABLE', details: { reason: 'proxy-refused' } });
    const failing = await stage({ status: 502 });
    const send = outgoingFetch({ HTTPS_PROXY: failing.proxy.address }, 'MODEL_UNAVAILABLE');
    await expect(send('https://models.example/')).rejects.toThrow('fetch failed');
  });

  it('is no proxy at all', async () => {
    const error = await refusal(
      ask('openai/gpt-4o', { ...https, HTTPS_PROXY: 'socks5://me:secret@proxy:1' }),
    );
    expect(error).toMatchObject({
      message: 'HTTPS_PROXY is not an http or https address; set it to one.',
      details: { reason: 'proxy-malformed' },
    });
  });
});
