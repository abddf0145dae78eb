// galley agent run as a user meets it: the real binary, a fake agent on the PATH, real signals.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { errorTable } from '../../src/core/model/error.js';
import { installFakeAgent, livingProcesses } from '../../src/testing/fake-agent/install-fake-agent.js';

const bin = join(process.cwd(), 'bin/galley.js');
const answer = 'Hello wörld 你好 😀';
const root = mkdtempSync(join(tmpdir(), 'galley-run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function stage(cli: string, behaviour: string) {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  const fake = installFakeAgent(folder, cli, behaviour);
  const galley = (
    args: readonly string[],
    input: unknown,
    onOutput?: (child: { kill(name: string): void }) => void,
  ) =>
    new Promise<Ended>((resolve) => {
      const child = spawn(process.execPath, [bin, ...args], {
        cwd: folder,
        env: { ...process.env, HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` },
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => {
        if (stdout === '') onOutput?.({ kill: (name) => child.kill(name as NodeJS.Signals) });
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.on('close', (status) => resolve({ status, stdout, stderr }));
      child.stdin.end(JSON.stringify(input));
    });
  return { fake, folder, galley };
}

const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const conversation = [
  { from: 'kailai', to: 'max', content: 'one' },
  { from: 'max', to: 'kailai', content: 'two' },
];

describe.concurrent('galley agent run', () => {
  for (const cli of ['claude', 'codex', 'gemini']) {
    it(`sends the turn to ${cli} and prints its answer, talk going to stderr [agent.run]`, async () => {
      const { galley, fake } = stage(cli, 'answer');
      const { status, stdout, stderr } = await galley(
        ['agent', 'run', '--agent', cli, '--task', 'T'],
        conversation,
      );
      expect({ status, stdout }).toEqual({ status: 0, stdout: `${answer}\n` });
      expect(stderr).toContain('17 tokens in (5 cached), 7 out');
      const prompt = await galley(['agent', '--agent', cli, '--task', 'T'], conversation);
      expect(`${fake.call().stdin}\n`).toBe(prompt.stdout);
    });
  }

  it('answers JSON with the receipt on request, and through the operation [agent.run]', async () => {
    const { galley, fake, folder } = stage('claude', 'answer');
    const asked = await galley(['agent', 'run', '--json'], conversation);
    const lines = linesOf(asked.stdout);
    const turn = lines.at(-1);
    expect(lines.slice(0, -1).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['warning', 'session', 'text', 'usage', 'end']),
    );
    expect(turn).toMatchObject({
      kind: 'answer',
      answer,
      finish: 'stop',
      usage: { outputTokens: 7 },
      receipt: { version: 2 },
      runs: [{ kind: 'agent-turn', model: 'cli/claude' }],
    });
    expect(JSON.stringify(turn.receipt)).not.toContain('two');
    expect(turn.runs[0].receipt).toBe(turn.receipt.id);
    const request = {
      agentType: 'claude',
      contextMessages: [],
      currentMessage: 'Hi',
      systemInstruction: 'You are Max',
    };
    const called = await galley(['call', 'agents:run'], request);
    expect(JSON.parse(called.stdout)).toMatchObject({ answer, receipt: { recipe: { id: 'agent-turn' } } });
    const { args, stdin, cwd } = fake.records()[1] as unknown as ReturnType<typeof fake.call>;
    expect(args[args.indexOf('--append-system-prompt') + 1]).toBe('You are Max');
    expect(stdin).toBe('[MESSAGE]\nHi');
    expect(cwd).toBe(folder);
  });

  it('keeps the receipt, and says in both languages that it still holds [A5]', async () => {
    const { galley } = stage('claude', 'answer');
    const { receipt } = linesOf((await galley(['agent', 'run', '--json'], conversation)).stdout).at(-1);
    const list = await galley(['receipts'], '');
    expect(list.stdout).toContain('agents:run');
    expect(list.stdout).toContain(receipt.id);
    const shown = await galley(['receipts', receipt.id], '');
    expect(shown.stdout).toContain('sealed: it is what was sealed');
    expect(shown.stdout).toContain('bytes used');
    expect((await galley(['--lang', 'zh', 'receipts', receipt.id], '')).stdout).toContain('封存完好');
    expect((await galley(['receipts', 'none'], '')).status).toBe(errorTable.NOT_FOUND.exit);
  });

  it('sends system text apart for every agent when the run is native', async () => {
    for (const cli of ['claude', 'codex', 'gemini']) {
      const { galley, fake } = stage(cli, 'answer');
      const request = {
        agentType: cli,
        contextMessages: [],
        currentMessage: 'Hi',
        systemInstruction: 'You are Max',
        native: true,
      };
      expect((await galley(['call', 'agents:run'], request)).status).toBe(0);
      expect(fake.call()).toMatchObject({ system: 'You are Max' });
      expect(fake.call().stdin).not.toContain('Max');
    }
  });

  it('ends with the exit code of the table, and says nothing of the text [agent.run]', async () => {
    const cases: [string, string[], keyof typeof errorTable][] = [
      ['no-result', [], 'MODEL_ANSWER_INVALID'],
      ['api-401', [], 'MODEL_NOT_CONFIGURED'],
      ['api-429', [], 'MODEL_UNAVAILABLE'],
      ['never', ['--first-byte-timeout', '1'], 'TIMEOUT'],
      ['answer', ['--agent', 'someone'], 'MODEL_NOT_CONFIGURED'],
      ['answer', ['--timeout', 'soon'], 'INVALID_ARGUMENT'],
      ['answer', ['--timeout', '0'], 'INVALID_ARGUMENT'],
      ['answer', ['--model', '--help'], 'INVALID_ARGUMENT'],
    ];
    for (const [behaviour, args, code] of cases) {
      const { galley, fake } = stage('claude', behaviour);
      const { status, stderr } = await galley(['agent', 'run', ...args], conversation);
      expect(stderr).toContain(`(${code})`);
      expect(status, code).toBe(errorTable[code].exit);
      expect(stderr).not.toMatch(/SECRET|\/tmp|\bat .*:\d+:\d+/);
      if (fake.call() !== undefined) expect(livingProcesses(fake.call().pid)).toEqual([]);
    }
  });

  for (const cli of ['claude', 'codex', 'gemini'] as const) {
    it(`ends with 6 when ${cli} was refused something for good, and with 0 when it got it later [A2]`, async () => {
      const { galley, folder } = stage(cli, 'tools');
      const run = ['agent', 'run', '--agent', cli];
      const { status, stdout, stderr } = await galley(run, conversation);
      expect({ status, stdout }).toEqual({ status: 6, stdout: `${answer}\n` });
      expect(stderr).toMatch(/may only read.*\n[\s\S]*the agent was refused: \w+ refused\.txt\./);
      expect(stderr).toContain('files changed: 1');
      expect(stderr).not.toContain(folder);
      // The words and the form of the answer are the same for all.
      if (cli === 'claude') {
        const chinese = await galley(['--lang', 'zh', ...run], conversation);
        expect(chinese.stderr).toMatch(/智能体只能读取[\s\S]*智能体被拒绝：\w+ refused\.txt。/);
        const told = await galley([...run, '--json'], conversation);
        expect(told.status).toBe(6);
        expect(linesOf(told.stdout).at(-1)).toMatchObject({ refusals: [{ target: 'refused.txt' }] });
      }
      const overcome = stage(cli, 'tools-overcome');
      expect((await overcome.galley(run, conversation)).status).toBe(0);
    });
  }

  it('passes on what the agent may do, and says for which folder it holds', async () => {
    const { galley, fake, folder } = stage('codex', 'answer');
    const run = ['agent', 'run', '--agent', 'codex'];
    const { stderr } = await galley([...run, '--may', 'edit'], conversation);
    expect(fake.call().args).toContain('workspace-write');
    expect(stderr).toContain(`may change files in ${basename(folder)} and nowhere else`);
    expect(stderr).toContain('cannot edit without running commands');
    expect((await galley([...run, '--resume', 'nope'], conversation)).status).toBe(2);
    expect((await galley([...run, '--native', '--may', 'edit'], conversation)).status).toBe(2);
    const kept = await galley([...run, '--keep-session'], conversation);
    expect(kept.stderr).toMatch(/to go on: galley agent run --agent codex --resume [\w-]{36}/);
  });

  it('sends the words of the project to its agents once, unless the caller gives others', async () => {
    for (const [cli, file] of [
      ['claude', 'CLAUDE.md'],
      ['codex', 'AGENTS.md'],
      ['gemini', 'GEMINI.md'],
    ] as const) {
      const { galley, fake, folder } = stage(cli, 'answer');
      writeFileSync(join(folder, file), 'Use tabs.');
      await galley(['agent', 'run', '--agent', cli], conversation);
      const { args, stdin } = fake.call();
      const sent = [...args, stdin].join('\n').split('Use tabs.').length - 1;
      // Gemini reads its own.
      expect(sent, cli).toBe(cli === 'gemini' ? 0 : 1);
      const request = {
        agentType: cli,
        contextMessages: [],
        currentMessage: 'Hi',
        instructionFileText: null,
      };
      await galley(['call', 'agents:run'], request);
      expect(JSON.stringify(fake.records().at(-1)?.args) + fake.records().at(-1)?.stdin).not.toContain(
        'tabs',
      );
    }
  });

  it('refuses when there is nothing to send', async () => {
    const { status, stderr } = await stage('claude', 'answer').galley(['agent', 'run'], []);
    expect(status).toBe(2);
    expect(stderr).toContain('There is no message');
  });

  for (const [signals, behaviour] of [
    [['SIGINT'], 'begin-hang'],
    [['SIGTERM'], 'begin-hang'],
    [['SIGHUP'], 'begin-hang'],
    [['SIGINT', 'SIGINT'], 'grandchild-hang'],
  ] as const) {
    const [first] = signals;
    const cancelled = 128 + constants.signals[first];
    it(`leaves nothing behind after ${signals.join(' and ')} [R25] [agent.run]`, async () => {
      const { galley, fake } = stage('claude', behaviour);
      const { status } = await galley(['agent', 'run'], conversation, async (child) => {
        child.kill(first);
        if (signals.length === 1) return;
        // The first is being obeyed once the agent has gone; those it started stay for a while.
        const { pid } = fake.call();
        await vi.waitFor(() => expect(livingProcesses(pid)).not.toContain(pid), 10_000);
        child.kill(signals[1]);
      });
      // A second signal may meet a process that is just leaving, and then ends it.
      const endings = signals.length === 1 ? [cancelled] : [cancelled, null];
      expect(endings).toContain(status);
      expect(livingProcesses(fake.call().pid)).toEqual([]);
    });
  }

  it('ends the agent when nobody reads its answer any more', async () => {
    const { folder, fake } = stage('claude', 'flood-slowly');
    const child = spawn(process.execPath, [bin, 'agent', 'run'], {
      cwd: folder,
      env: { ...process.env, HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.end(JSON.stringify(conversation));
    child.stdout.once('data', () => child.stdout.destroy());
    const status = await new Promise((resolve) => child.once('exit', resolve));
    expect(status).toBe(errorTable.CANCELLED.exit);
    expect(livingProcesses(fake.call().pid)).toEqual([]);
  });
});
