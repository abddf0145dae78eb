// The official MCP Inspector on its command line, over standard input and over HTTP: what it shows is what galley call gives.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { operationIds } from '../../src/operations/table.js';
import { isInstalled, realCommand } from './real-home.js';

const bin = join(process.cwd(), 'bin/galley.js');
const galley = [process.execPath, bin, 'mcp', '--all', '--project', 'novel'];

describe.skipIf(!isInstalled('mcp-inspector'))('galley mcp in the MCP Inspector', () => {
  let folder: string;
  let server: ChildProcess;
  let address: string;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'galley-inspector-')));
    const [program = '', ...args] = galley;
    server = spawn(program, [...args, '--http', '--port', '0'], { cwd: folder, env: environment() });
    let talk = '';
    server.stderr?.on('data', (chunk) => {
      talk += chunk;
    });
    address = await vi.waitFor(() => {
      const found = /MCP at (http:\S+)\n/.exec(talk)?.[1];
      expect(found, talk).toBeDefined();
      return found as string;
    }, 30_000);
  });
  afterAll(() => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const environment = () => ({
    PATH: process.env.PATH,
    HOME: folder,
    MCP_INSPECTOR_SECRET_STORE: 'memory',
  });
  const run = (command: string, args: readonly string[], input = '') =>
    spawnSync(command, args, { cwd: folder, env: environment(), encoding: 'utf8', input, timeout: 50_000 });
  const call = (id: string, request: object) => {
    const { stdout, stderr } = run(process.execPath, [bin, 'call', id], JSON.stringify(request));
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  const doors = [
    ['standard input', 'legacy', () => galley],
    ['standard input', 'modern', () => galley],
    ['HTTP', 'legacy', () => [address, '--transport', 'http']],
    ['HTTP', 'modern', () => [address, '--transport', 'http']],
  ] as const;

  describe.each(doors)('over %s, %s revision', (door, era, target) => {
    const inspect = (method: string, ...args: string[]) => {
      const quietly = ['--quiet', '--format', 'json', '--protocol-era', era];
      const words = ['--cli', ...target(), '--method', method, ...args, ...quietly];
      const { status, stdout, stderr } = run(realCommand('mcp-inspector'), words);
      expect(status, stderr).toBe(0);
      const told = JSON.parse(stdout);
      return told.result ?? told;
    };

    it('lists every tool in a form that clients can carry, and calls one', () => {
      const { tools } = inspect('tools/list', '--strict');
      const offered = operationIds.filter((id) => !/^agents:(?:sessions:|inspect|handoff)/.test(id));
      expect(tools.map(({ title }: { title: string }) => title)).toEqual(offered);
      const request = {
        projectId: 'novel',
        id: `${door} ${era}`,
        text: `没有魔法 "${door} ${era}"`,
        kind: 'world',
      };
      inspect('tools/call', '--tool-name', 'constraints_create', '--tool-args-json', JSON.stringify(request));
      const args = ['--tool-name', 'constraints_list', '--tool-arg', 'projectId=novel'];
      const { content, structuredContent } = inspect('tools/call', ...args);
      const told = call('constraints:list', { projectId: 'novel' });
      expect(told.constraints).toContainEqual(
        expect.objectContaining({ id: request.id, text: request.text }),
      );
      expect(JSON.parse(content[0].text)).toEqual(told);
      expect(structuredContent).toEqual(told);
    });

    it('lists and reads resources', () => {
      const { resources } = inspect('resources/list');
      const uris = resources.map(({ uri }: { uri: string }) => uri);
      expect(uris).toContain('galley://skills/novel/polish');
      const { resourceTemplates } = inspect('resources/templates/list');
      expect(resourceTemplates.length).toBeGreaterThan(0);
      const { contents } = inspect('resources/read', '--uri', 'galley://skills/novel');
      expect(JSON.parse(contents[0].text)).toEqual(call('skills:list', { projectId: 'novel' }));
    });

    it('lists and gives prompts', () => {
      call('documents:put', { projectId: 'novel', documentId: 'one', text: 'It was night.' });
      const { prompts } = inspect('prompts/list');
      expect(prompts.map(({ name }: { name: string }) => name)).toContain('polish');
      const args = ['--prompt-name', 'polish', '--prompt-args', 'documentId=one'];
      const { messages } = inspect('prompts/get', ...args);
      expect(JSON.stringify(messages)).toContain('It was night.');
    });
  });
});
