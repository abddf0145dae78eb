// HTTPS without a proxy: the pair is checked at the start, the door is the same behind it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { operationPath } from './pages/open-api.js';
import { serveForTest } from './testing/serve-for-test.js';
import { readTlsMaterial } from './tls-material.js';

const material = (name: string) => fileURLToPath(new URL(`./testing/${name}.pem`, import.meta.url));
const cert = material('test-only-certificate');
const key = material('test-only-key');
const ca = readFileSync(cert, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'galley-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function ask(port: number, options: RequestOptions, body = ''): Promise<{ status?: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: 'localhost', servername: 'localhost', port, ca, agent: false, ...options },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ ...(answer.statusCode && { status: answer.statusCode }), text }));
      },
    );
    asked.on('error', reject).end(body);
  });
}

describe('a server with a certificate', () => {
  it('answers over TLS and keeps pages of other origins out', async () => {
    const server = await serveForTest({ tls: await readTlsMaterial({ cert, key }) });
    const { port, address } = server;
    expect(address).toBe(`https://127.0.0.1:${port}`);
    const call = { method: 'POST', path: operationPath('agents:assemble') };
    const turn = JSON.stringify({ agentType: 'claude', contextMessages: [], currentMessage: 'Hello' });
    const headers = { 'content-type': 'application/json' };
    expect(await ask(port, { ...call, headers }, turn)).toMatchObject({ status: 200 });
    const from = (origin: string) => ask(port, { path: '/healthz', headers: { origin } });
    expect(await from(`https://localhost:${port}`)).toMatchObject({ status: 200 });
    expect(await from(`http://localhost:${port}`)).toMatchObject({ status: 403 });
    expect(await ask(port, { path: '/healthz', headers: { host: 'evil.example' } })).toMatchObject({
      status: 403,
    });
    await server.close();
  });

  it('is not held up or brought down by those who do not speak it', async () => {
    const server = await serveForTest({
      tls: await readTlsMaterial({ cert, key }),
      limits: { headersMs: 200 },
    });
    expect(await server.raw('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')).not.toContain('ok');
    expect(await server.raw('')).toBe('');
    expect(await ask(server.port, { path: '/healthz' })).toMatchObject({ status: 200 });
    const silent = connect(server.port, '127.0.0.1').on('error', () => undefined);
    await server.close();
    silent.destroy();
  });
});

describe('certificate and key', () => {
  it('are refused with what to do when they are missing, broken or of two kinds', async () => {
    const broken = join(folder, 'broken.pem');
    writeFileSync(broken, '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n');
    const cases: [{ cert?: string; key?: string }, RegExp][] = [
      [{ cert }, /--tls-cert and --tls-key belong together/],
      [{ key }, /belong together/],
      [{ cert: join(folder, 'none.pem'), key }, /^--tls-cert: the file cannot be read/],
      [{ cert, key: folder }, /^--tls-key: the file cannot be read/],
      [{ cert: broken, key }, /^--tls-cert: is not a certificate/],
      [{ cert, key: broken }, /^--tls-key: is not a private key/],
      [{ cert, key: cert }, /^--tls-key: is not a private key/],
      [{ cert, key: material('test-only-other-key') }, /^--tls-key: does not belong to the certificate/],
    ];
    for (const [files, words] of cases) {
      const refusal = await readTlsMaterial(files).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(words) });
      expect(String(refusal)).not.toContain(folder);
    }
    expect(await readTlsMaterial({})).toBeUndefined();
  });
});
