// The doors that galley serve opens when it is asked to, as a user meets them: the real binary, a provider and a forge on this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampleForge } from '../../../testing/forge/sample-forge.js';
import { type Loopback, openLoopback } from '../../../testing/loopback/open-loopback.js';
import { whenListening } from '../../http/testing/when-listening.js';

const bin = join(process.cwd(), 'bin/galley.js');
const folder = mkdtempSync(join(tmpdir(), 'galley-doors-'));
const children: ChildProcess[] = [];
let loopback: Loopback;
beforeAll(async () => {
  loopback = await openLoopback({ cache: false });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await loopback.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  PATH: process.env.PATH,
  HOME: folder,
  GALLEY_MODEL: 'custom/story',
  GALLEY_BASE_URL: `${loopback.url}/v1`,
});

async function serve(args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return { child, ...(await whenListening(child)) };
}

describe('galley serve --openai', () => {
  it('answers the client of OpenAI with the context of a project, and ends cleanly', async () => {
    const { child, ended, address } = await serve(['--openai', '--openai-project', 'novel']);
    await fetch(`${address}/v1/documents/put`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ projectId: 'novel', documentId: '一', title: '一', text: '桌上有一把铜钥匙。' }),
    });
    loopback.play('在桌上。');
    const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: 'none', maxRetries: 0 });
    const stream = await client.chat.completions.create({
      ...{ model: 'gpt-4o', stream: true },
      messages: [{ role: 'user', content: '钥匙在哪里？' }],
    });
    let said = '';
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? '';
    expect(said).toBe('在桌上。');
    const { messages } = (loopback.calls.at(-1)?.body ?? {}) as { messages: { content: string }[] };
    expect(messages.map(({ content }) => content).join('\n')).toContain('铜钥匙');
    expect(messages.at(-1)?.content).toBe('钥匙在哪里？');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

describe('galley serve --webhooks', () => {
  it('reviews what is delivered and posts it', async () => {
    const { forge, number, head } = await sampleForge();
    const secret = 'a secret of some length';
    const finding = { path: 'a.txt', line: 10, severity: 'high', confidence: 0.9, evidence: 'line ten' };
    const answer = { summary: '', findings: [{ ...finding, title: 'Ten', message: 'Ten is a number.' }] };
    loopback.play(JSON.stringify(answer));
    const { child, ended, address, talk } = await serve(['--webhooks', '--webhook-repos', 'acme/widgets'], {
      ...forge.env,
      GALLEY_WEBHOOK_SECRET: secret,
    });
    const body = JSON.stringify({
      action: 'opened',
      repository: { full_name: 'acme/widgets', html_url: `${forge.url}/acme/widgets` },
      pull_request: { number, state: 'open', draft: false, head: { sha: head } },
    });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const taken = await fetch(`${address}/webhooks/github`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'pull_request',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    });
    expect(taken.status).toBe(202);
    await vi.waitFor(() => expect(forge.pull(number).comments.length).toBeGreaterThan(0), {
      ...{ timeout: 60_000, interval: 100 },
    });
    expect(talk()).not.toContain('login');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await forge.close();
  });

  it.each([
    ['GALLEY_WEBHOOK_SECRET', 'no login at GitHub, GitLab, Gitea', 'GALLEY_FORGE_TOKEN'],
    ['GALLEY_WEBHOOK_SECRET_GITLAB', 'no login at GitLab', 'GITLAB_TOKEN'],
  ])('says with %s that there is %s', async (name, what, variable) => {
    const { talk } = await serve(['--webhooks', '--webhook-repos', 'acme/widgets'], {
      [name]: 'a secret of some length',
    });
    await vi.waitFor(() => expect(talk()).toContain(what), { timeout: 30_000, interval: 50 });
    expect(talk()).toContain(`set ${variable} and start again`);
  });

  it.each([
    ['a secret', ['--webhook-repos', 'acme/widgets'], {}, 'GALLEY_WEBHOOK_SECRET'],
    ['repositories', [], { GALLEY_WEBHOOK_SECRET: 'a secret of some length' }, '--webhook-repos'],
  ])('does not start without %s, and says so', (_, args, env, word) => {
    const { status, stderr } = spawnSync(process.execPath, [bin, 'serve', '--webhooks', ...args], {
      ...{ cwd: folder, env: { ...environment(), ...env }, encoding: 'utf8' },
    });
    expect(status).toBe(2);
    expect(stderr).toContain(word);
  });
});
