// The real clients with the file that `galley mcp install` writes: they find Galley, call it, and leave nothing behind.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { installFakeAgent, livingProcesses } from '../../src/testing/fake-agent/install-fake-agent.js';
import type { Script } from '../../src/testing/loopback/open-loopback.js';
import { mcpClients } from './mcp-clients.js';
import { isInstalled, openRealHome, type RealHome, realCommand } from './real-home.js';

const bin = join(process.cwd(), 'bin/galley.js');
const request = { mode: 'staged' };
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };

function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}

for (const client of mcpClients) {
  describe.skipIf(!isInstalled(client.name))(`galley mcp in the real ${client.name}`, () => {
    let home: RealHome;
    let environment: NodeJS.ProcessEnv;
    let programs: string;

    beforeAll(async () => {
      home = await openRealHome();
      programs = join(home.root, 'bin');
      mkdirSync(programs);
      // Every server that a client starts writes down who it is.
      const words = `echo $$ >> '${programs}/pids'\nexec '${process.execPath}' '${bin}' "$@"\n`;
      writeFileSync(join(programs, 'galley'), `#!/bin/sh\n${words}`);
      chmodSync(join(programs, 'galley'), 0o755);
      const path = `${programs}${delimiter}${process.env.PATH}`;
      environment = { ...home.environment, ...client.environment, PATH: path };
      const repository = scratchRepository({ folder: home.work });
      repository.write('sum.ts', 'export const sum = (a: number, b: number) => a + b;\n');
      repository.commit('first');
      repository.write('sum.ts', 'export const sum = (a: number, b: number) => a - b; // 差\n');
      repository.git('add', 'sum.ts');
    });
    afterAll(() => home?.close());

    const run = (command: string, args: readonly string[], input = '') =>
      spawnSync(command, args, {
        cwd: home.work,
        env: environment,
        encoding: 'utf8',
        input,
        timeout: 50_000,
      });
    const servers = () =>
      existsSync(join(programs, 'pids'))
        ? readFileSync(join(programs, 'pids'), 'utf8').trim().split('\n').map(Number)
        : [];
    const expectNoServer = () => vi.waitFor(() => expect(servers().filter(isAlive)).toEqual([]), 20_000);

    async function say(script: Script) {
      home.loopback.play(script);
      home.loopback.forgetCalls();
      const child = spawn(realCommand(client.name), client.message, {
        cwd: home.work,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let talk = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          talk += chunk;
        });
      }
      return { child, ended: once(child, 'close'), talk: () => talk };
    }

    it('is found in the file that the installer writes, once the project is trusted', () => {
      const written = run('galley', ['mcp', 'install', '--client', client.name, '--yes']);
      expect(written.status, written.stderr).toBe(0);
      const look = () => {
        const { stdout, stderr } = run(realCommand(client.name), client.list);
        return stdout + stderr;
      };
      expect(look()).toMatch(client.untrusted);
      client.trust(home.root, home.work);
      expect(look()).toMatch(client.trusted);
    });

    it('gives the model what galley call gives', async () => {
      const results: string[] = [];
      const { ended, talk } = await say((call) => {
        const result = client.resultIn(call);
        if (result !== undefined) results.push(result);
        const tool = client.toolNamed('galley', call);
        return result === undefined && tool !== undefined
          ? { toolCalls: [{ ...tool, input: { operation: 'review:plan', request } }] }
          : 'Seen.';
      });
      const [code] = await ended;
      expect([code, talk()]).toEqual([0, expect.stringContaining('Seen.')]);
      const told = run('galley', ['call', 'review:plan'], JSON.stringify(request));
      expect(told.status, told.stderr).toBe(0);
      expect(results, talk()).toHaveLength(1);
      const [result = ''] = results;
      expect(JSON.parse(result.slice(result.indexOf('{'), result.lastIndexOf('}') + 1))).toEqual(
        JSON.parse(told.stdout),
      );
      await expectNoServer();
    });

    it('leaves nothing behind when the client is killed in the middle of a call', async () => {
      const agent = installFakeAgent(programs, 'claude', 'begin-hang');
      const { child, ended, talk } = await say((call) => {
        const tool = client.toolNamed('galley', call);
        return tool === undefined
          ? 'No tool.'
          : { toolCalls: [{ ...tool, input: { operation: 'agents:run', request: turn } }] };
      });
      await vi.waitFor(() => expect(agent.call(), talk()).toBeDefined(), 40_000);
      const own = new Set([...servers(), ...livingProcesses(agent.call().pid)]);
      for (const pid of descendants(child.pid ?? 0)) if (!own.has(pid)) process.kill(pid, 'SIGKILL');
      await ended;
      await expectNoServer();
      await vi.waitFor(() => expect(livingProcesses(agent.call().pid)).toEqual([]), 20_000);
    });
  });
}

/** The process and everything below it. */
function descendants(root: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found) {
    for (const [pid = 0, above] of all) if (above === parent) found.push(pid);
  }
  return found;
}
