// Agents that speak the Agent Client Protocol, the real ones, with a scripted model: what they may do, from the command to the disk.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolCall } from '../../src/testing/loopback/reply.js';
import { isInstalled, openRealHome, type RealHome, realCommand } from './real-home.js';
import { calling, hands } from './scripted-tools.js';

const bin = join(process.cwd(), 'bin/galley.js');

interface AcpAgent {
  readonly program: string;
  write(path: string): ToolCall;
  /** Tells it of the provider on this machine. */
  settle(home: RealHome): NodeJS.ProcessEnv;
}

/** Named in a file of the user's, as any agent can be that we do not know. */
function described(home: RealHome, name: string, description: object): NodeJS.ProcessEnv {
  const file = join(home.root, 'agents.json');
  writeFileSync(file, JSON.stringify({ [name]: { speaks: 'acp', ...description } }));
  return { GALLEY_AGENTS: file };
}

const agents: Readonly<Record<string, AcpAgent>> = {
  'gemini-acp': {
    program: 'gemini',
    write: hands.gemini.write,
    settle: (home) => ({
      ...described(home, 'gemini-acp', {
        command: [realCommand('gemini'), '--acp', '--skip-trust'],
        variables: ['GEMINI_*', 'GOOGLE_*'],
      }),
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
  },
  'claude-acp': {
    program: 'claude-agent-acp',
    write: hands.claude.write,
    settle: (home) =>
      described(home, 'claude-acp', {
        command: [realCommand('claude-agent-acp')],
        variables: ['ANTHROPIC_*', 'CLAUDE_*'],
      }),
  },
  'codex-acp': {
    program: 'codex-acp',
    write: hands.codex.write,
    settle: (home) =>
      described(home, 'codex-acp', {
        command: [realCommand('codex-acp')],
        variables: ['OPENAI_*', 'CODEX_*'],
        // In its own mode a model decides what is asked for.
        environment: { INITIAL_AGENT_MODE: 'read-only' },
      }),
  },
  opencode: {
    program: 'opencode',
    write: (path) => ({ name: 'write', input: { filePath: path, content: 'hello\n' } }),
    settle(home) {
      const folder = join(home.root, '.config', 'opencode');
      mkdirSync(folder, { recursive: true });
      const options = { baseURL: `${home.loopback.url}/v1`, apiKey: 'none' };
      const settings = {
        provider: { anthropic: { options } },
        model: 'anthropic/claude-sonnet-4-5',
        small_model: 'anthropic/claude-sonnet-4-5',
        autoupdate: false,
      };
      writeFileSync(join(folder, 'opencode.json'), JSON.stringify(settings));
      return { OPENCODE_DISABLE_AUTOUPDATE: '1' };
    },
  },
};

for (const [name, agent] of Object.entries(agents)) {
  describe.skipIf(!isInstalled(agent.program))(`the real ${name}`, () => {
    let home: RealHome;
    let more: NodeJS.ProcessEnv;
    beforeAll(async () => {
      home = await openRealHome();
      more = agent.settle(home);
    });
    beforeEach(() => {
      rmSync(home.work, { recursive: true, force: true });
      mkdirSync(home.work);
    });
    afterAll(() => home?.close());

    const run = (may: string) =>
      new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
        const PATH = `${join(realCommand(agent.program), '..')}${delimiter}${process.env.PATH}`;
        const args = ['agent', 'run', '--agent', name, '--may', may, '--json', '--message', 'DO IT NOW'];
        const child = spawn(process.execPath, [bin, ...args], {
          cwd: home.work,
          env: { ...home.environment, ...more, PATH },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (chunk) => {
          stdout += chunk;
        });
        child.stderr.on('data', (chunk) => {
          stderr += chunk;
        });
        child.on('close', (status) => resolve({ status, stdout, stderr }));
      });
    const made = () => existsSync(join(home.work, 'made.txt'));

    it('writes a file where it may edit', async () => {
      home.loopback.play(calling([agent.write(join(home.work, 'made.txt'))]));
      const { status, stdout, stderr } = await run('edit');
      expect([status, stderr, stdout]).toEqual([0, expect.anything(), expect.stringContaining('Done.')]);
      expect(made()).toBe(true);
      expect(stdout).not.toContain(home.root);
    });

    it('is refused it where it may only read, and that is told', async () => {
      home.loopback.play(calling([agent.write(join(home.work, 'made.txt'))]));
      const { status, stdout } = await run('read');
      expect(made()).toBe(false);
      expect([status, stdout]).toEqual([6, expect.stringContaining('"refused"')]);
    });
  });
}
