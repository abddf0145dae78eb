// galley serve as a user meets it: the real binary, real signals.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { installFakeAgent, livingProcesses } from '../../../testing/fake-agent/install-fake-agent.js';
import { whenListening } from '../../http/testing/when-listening.js';

const bin = join(process.cwd(), 'bin/galley.js');
const folder = mkdtempSync(join(tmpdir(), 'galley-serve-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const environment = { PATH: process.env.PATH, HOME: folder };

async function serve(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const { ended, address, talk } = await whenListening(child);
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { child, ended, address, post, talk };
}

const run = (...args: string[]) =>
  spawnSync(process.execPath, [bin, 'serve', ...args], { cwd: folder, env: environment, encoding: 'utf8' });

const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };

describe('galley serve', () => {
  it('ends on a signal, finishes what runs, and keeps what it stored', async () => {
    const fake = installFakeAgent(folder, 'claude', 'when-released');
    const { child, ended, post } = await serve([], { GALLEY_CLAUDE: join(folder, 'claude') });
    const put = await post('/v1/documents/put', { projectId: 'p', documentId: 'd', text: '正文' });
    expect(put.status).toBe(200);
    const running = post('/v1/agents/run', turn);
    await vi.waitFor(() => expect(existsSync(join(folder, 'claude.jsonl'))).toBe(true), 20_000);
    child.kill('SIGTERM');
    // The signal is taken once nothing more is taken.
    await vi.waitFor(async () => {
      const answer = await post('/v1/agents/assemble', turn).catch(() => undefined);
      expect(answer?.status ?? 'gone').not.toBe(200);
    }, 20_000);
    fake.release();
    expect((await running).status).toBe(200);
    expect(await ended).toEqual([0, null]);
    const call = spawnSync(process.execPath, [bin, 'call', 'documents:get'], {
      cwd: folder,
      env: environment,
      input: JSON.stringify({ projectId: 'p', documentId: 'd' }),
      encoding: 'utf8',
    });
    expect(JSON.parse(call.stdout)).toMatchObject({ text: '正文' });
  });

  it('ends at once on the second signal', async () => {
    const place = mkdtempSync(join(folder, 'agent-'));
    const fake = installFakeAgent(place, 'claude', 'begin-hang');
    const { child, ended, post } = await serve([], { GALLEY_CLAUDE: fake.command });
    const lost = post('/v1/agents/run', turn).catch(() => 'lost');
    await vi.waitFor(() => expect(fake.call()).toBeDefined(), 20_000);
    child.kill('SIGINT');
    // The first is taken once nothing more is taken.
    await vi.waitFor(async () => {
      const answer = await post('/v1/agents/assemble', turn).catch(() => undefined);
      expect(answer?.status ?? 'gone').not.toBe(200);
    }, 20_000);
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(await lost).toBe('lost');
    await vi.waitFor(() => expect(livingProcesses(fake.call().pid)).toEqual([]), 20_000);
  });

  it('says at SIGTERM that it leaves, and answers calls until others know', async () => {
    const { child, ended, address, post } = await serve(['--drain', '3600']);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await fetch(`${address}/readyz`)).status).toBe(503), 20_000);
    expect((await post('/v1/documents/list', { projectId: 'p' })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });

  it('does not wait for others at Ctrl-C', async () => {
    const { child, ended } = await serve(['--drain', '3600']);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  it('prints a token once, whose entry opens the door', async () => {
    const { stdout, stderr, status } = run('--new-token', '--project', 'novel', '--grant', 'read');
    expect(status).toBe(0);
    const [token = '', , ...entry] = stdout.split('\n');
    expect(token).toMatch(/^galley_[\w-]{43}$/);
    expect(stderr).toContain('shown once');
    const file = join(folder, 'tokens.yaml');
    writeFileSync(file, entry.join('\n'));
    const { child, ended, post, talk } = await serve([], { GALLEY_TOKENS: file });
    const list = (projectId: string, headers = {}) => post('/v1/documents/list', { projectId }, headers);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await list('novel')).status).toBe(401);
    expect((await list('novel', bearer)).status).toBe(200);
    expect((await list('other', bearer)).status).toBe(403);
    child.kill('SIGTERM');
    await ended;
    expect(talk()).toContain('"level":"security"');
    expect(talk()).not.toContain(token);
  });

  it('goes on when nobody reads what it says any more', async () => {
    const { child, ended, address } = await serve();
    child.stderr?.destroy();
    for (let turns = 0; turns < 3; turns += 1)
      expect((await fetch(`${address}/healthz`, { headers: { origin: 'http://evil.example' } })).status).toBe(
        403,
      );
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('speaks HTTPS with a certificate, and says what is wrong with one', async () => {
    const material = (name: string) =>
      fileURLToPath(new URL(`../../http/testing/test-only-${name}.pem`, import.meta.url));
    const pair = ['--tls-cert', material('certificate'), '--tls-key', material('key')];
    const { child, ended, address } = await serve(pair);
    expect(address).toMatch(/^https:/);
    const ca = readFileSync(material('certificate'));
    const status = await new Promise((resolve, reject) => {
      const asked = get(`${address}/healthz`, { ca, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on('error', reject);
    });
    expect(status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(run('--tls-cert', material('certificate')).stderr).toMatch(
      /--tls-key belong together.*CONFIG_INVALID/,
    );
    const mixed = run('--tls-cert', material('certificate'), '--tls-key', material('other-key'));
    expect([mixed.status, mixed.stderr]).toEqual([2, expect.stringMatching(/--tls-key: does not belong/)]);
  });

  it('says which port is taken, or that the host is wrong', async () => {
    const { child, ended, address } = await serve();
    const { port } = new URL(address);
    const taken = spawnSync(process.execPath, [bin, 'serve', '--port', port], {
      ...{ cwd: folder, env: environment, encoding: 'utf8' },
    });
    expect([taken.status, taken.stderr]).toEqual([
      2,
      expect.stringMatching(`Port ${port} is taken; .*--port`),
    ]);
    child.kill('SIGTERM');
    await ended;
    writeFileSync(join(folder, 'none.yaml'), 'tokens: []');
    const nowhere = run('--host', '203.0.113.9', '--port', '0', '--tokens', join(folder, 'none.yaml'));
    expect([nowhere.status, nowhere.stderr]).toEqual([2, expect.stringMatching(/check --host/)]);
  });

  it('refuses to start where it would be open to all, and says what to do', () => {
    const open = run('--host', '0.0.0.0');
    expect([open.status, open.stderr]).toEqual([2, expect.stringMatching(/--tokens.*CONFIG_INVALID/)]);
    expect(open.stderr).toContain('change what the message names');
    expect(run('--port', 'many').stderr).toMatch(/port: .*INVALID_ARGUMENT/);
    expect(run('--root', 'no-such-folder').stderr).toMatch(/--root.*CONFIG_INVALID/);
    expect(run('--tokens', 'no-such-file').stderr).toMatch(/token file.*CONFIG_INVALID/);
  });
});
