// galley mcp --http as a user starts it.
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { installFakeAgent, livingProcesses } from '../../testing/fake-agent/install-fake-agent.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'galley-mcp-command-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('galley mcp --http', () => {
  it('serves from the shell, ends an agent whose caller left, and stops when told', async () => {
    const fake = installFakeAgent(folder, 'claude', 'begin-hang');
    const child = spawn(
      process.execPath,
      [join(process.cwd(), 'bin/galley.js'), 'mcp', '--all', '--http', '--port', '0'],
      {
        cwd: folder,
        env: { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder },
      },
    );
    const url = await new Promise<string>((resolve) => {
      child.stderr.on('data', (chunk) => resolve(/http:\S+/.exec(String(chunk))?.[0] ?? ''));
    });
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const cancel = new AbortController();
    const running = client.callTool(
      { name: 'agents_run', arguments: { agentType: 'claude', contextMessages: [], currentMessage: 'Hi' } },
      { signal: cancel.signal, onprogress: () => fake.call() !== undefined && cancel.abort() },
    );
    await expect(running).rejects.toThrow();
    await expect.poll(() => livingProcesses(fake.call().pid), { timeout: 20_000 }).toEqual([]);
    await client.close();
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  });

  it('refuses a token that is too easy', async () => {
    const child = spawn(
      process.execPath,
      [join(process.cwd(), 'bin/galley.js'), 'mcp', '--all', '--http', '--port', '0'],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, GALLEY_MCP_TOKEN: '' },
      },
    );
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(2);
  });
});
