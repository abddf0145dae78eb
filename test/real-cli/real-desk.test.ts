// Several real CLIs at one task, in one room, and one asked before it leaves: galley from its arguments to what stands on disk.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentCliName } from '../../src/models/cli/agent-cli.js';
import type { ProtocolName } from '../../src/testing/loopback/loopback-call.js';
import type { LoopbackCall, Script } from '../../src/testing/loopback/open-loopback.js';
import { isInstalled, openRealHome, type RealHome, realCommand } from './real-home.js';
import { calling, hands } from './scripted-tools.js';
import { haveConversation, prepareWork } from './session-runs.js';

const bin = join(process.cwd(), 'bin/galley.js');
const clis = ['claude', 'codex', 'gemini'] as const;
const isThere = clis.every(isInstalled);

const speakers: Partial<Record<ProtocolName, AgentCliName>> = {
  'anthropic-messages': 'claude',
  'openai-responses': 'codex',
  gemini: 'gemini',
};

/** Each writes the file that is named after it; Claude Code wants the whole path, which it was told. */
const working: Script = (call) => {
  const cli = speakers[call.protocol] ?? 'claude';
  const folder = /working directory: ([^\\"\s]+)/i.exec(JSON.stringify(call.body))?.[1] ?? '';
  const name = cli === 'claude' ? `${call.model.includes('sonnet') ? 'sonnet' : 'claude'}.txt` : `${cli}.txt`;
  const script = calling([hands[cli].write(cli === 'claude' ? join(folder, name) : name)]);
  return (script as (call: LoopbackCall) => string)(call);
};

describe.skipIf(!isThere)('the real CLIs together', () => {
  let home: RealHome;
  beforeAll(async () => {
    home = await openRealHome();
    prepareWork(home);
  });
  afterAll(() => home?.close());

  const galley = (...args: readonly string[]) =>
    new Promise<{ status: number | null; out: string; said: string }>((resolve) => {
      const own = Object.fromEntries(clis.map((name) => [`GALLEY_${name.toUpperCase()}`, realCommand(name)]));
      const env = { ...home.environment, ...own, XDG_CACHE_HOME: join(home.root, 'cache') };
      const child = spawn(process.execPath, [bin, ...args], {
        cwd: home.work,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      let said = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      child.stderr.on('data', (chunk) => {
        said += chunk;
      });
      child.on('close', (status) => resolve({ status, out, said }));
    });
  const git = (...args: readonly string[]) =>
    spawnSync('git', args, { cwd: home.work, encoding: 'utf8' }).stdout;
  const inWork = (name: string) => existsSync(join(home.work, name));
  interface Told {
    readonly entries: readonly {
      readonly agent: string;
      readonly ended: string;
      readonly check?: { readonly passed: boolean };
      readonly files: readonly { readonly path: string }[];
      readonly findings?: number;
      readonly reviewCode?: string;
    }[];
  }
  /** The answer is the last line. */
  const told = (out: string) => JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Told;

  it('race, each in a tree of its own; what one did is taken, and undone', async () => {
    home.loopback.play(working);
    const check = 'test -f codex.txt';
    const agents = clis.join(',');
    const raced = await galley('race', 'DO IT NOW', '--agents', agents, '--check', check, '--json');
    expect(
      told(raced.out).entries.map(({ agent, ended, check, files }) => [
        agent,
        ended,
        check?.passed,
        files.map(({ path }) => path),
      ]),
    ).toEqual(clis.map((cli) => [cli, 'answered', cli === 'codex', [`${cli}.txt`]]));
    expect(git('status', '--porcelain')).toBe('');
    const table = await galley('race');
    expect(table.out).toMatch(/codex .*pass/);
    expect((await galley('take', 'codex')).status).toBe(0);
    expect(readFileSync(join(home.work, 'codex.txt'), 'utf8')).toBe('hello\n');
    expect(inWork('claude.txt')).toBe(false);
    expect((await galley('agent', 'undo')).status).toBe(0);
    expect(inWork('codex.txt')).toBe(false);
    expect((await galley('race', '--discard')).status).toBe(0);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(readdirSync(join(home.root, 'cache', 'galley', 'race'))).toEqual([]);
  });

  it('race as two models of one agent, and each is reviewed', async () => {
    const findings = {
      findings: [
        {
          path: 'claude.txt',
          line: 1,
          severity: 'warning',
          category: 'bug',
          title: 'A greeting',
          body: 'Nobody greets a file.',
          quote: 'hello',
        },
      ],
    };
    const models = new Set<string>();
    home.loopback.play((call) => {
      if (call.model !== 'reviewer') models.add(call.model);
      return call.model === 'reviewer'
        ? JSON.stringify(findings)
        : (working as (call: LoopbackCall) => string)(call);
    });
    const race = ['race', 'DO IT NOW', '--agents', 'claude:claude-opus-4-5,claude:claude-sonnet-4-5'];
    const raced = await galley(...race, '--review-model', 'anthropic/reviewer', '--json');
    expect(
      told(raced.out).entries.map(({ agent, ended, files, reviewCode }) => [
        agent,
        ended,
        files.map(({ path }) => path),
        reviewCode,
      ]),
    ).toEqual([
      ['claude:claude-opus-4-5', 'answered', ['claude.txt'], undefined],
      ['claude:claude-sonnet-4-5', 'answered', ['sonnet.txt'], undefined],
    ]);
    expect(told(raced.out).entries.map((entry) => typeof entry.findings)).toEqual(['number', 'number']);
    expect([...models].sort()).toEqual(['claude-opus-4-5', 'claude-sonnet-4-5']);
    expect((await galley('take', 'claude:claude-opus-4-5')).status).toBe(0);
    expect(inWork('claude.txt')).toBe(true);
    await galley('agent', 'undo');
    await galley('race', '--discard');
  });

  it('are stopped at their ceiling, where they tell what they spend', async () => {
    home.loopback.play(working);
    const race = ['race', 'DO IT NOW', '--agents', 'claude:claude-sonnet-4-5,codex', '--budget-usd', '0.001'];
    const { out } = await galley(...race);
    expect(out).toMatch(/^claude:claude-sonnet-4-5 +stopped at its ceiling .*0\.\d+/m);
    expect(out).toMatch(/^codex +answered /m);
    await galley('race', '--discard');
  });

  it('speak in a room by mention, and each is shown what the other said', async () => {
    home.loopback.play(({ protocol, body }) => {
      const words = JSON.stringify(body);
      if (protocol === 'openai-responses') return words.includes('SESSIONS') ? 'I heard of it.' : 'What?';
      return 'We use SESSIONS. @sarah, agreed?';
    });
    await galley('agent', 'room', 'new', 'login', '--agent', 'max=claude', '--agent', 'sarah=codex');
    await galley('agent', 'room', 'say', 'login', '@max Sessions or tokens?', '--from', 'kailai');
    const first = await galley('agent', 'room', 'run', 'login');
    expect([first.status, first.out.trim()]).toEqual([0, 'We use SESSIONS. @sarah, agreed?']);
    const second = await galley('agent', 'room', 'run', 'login');
    expect([second.status, second.out.trim()]).toEqual([0, 'I heard of it.']);
    const { out } = await galley('agent', 'room', 'show', 'login');
    expect(out.match(/kailai|max$|sarah$/gm)).toEqual(['kailai', 'max', 'sarah']);
  });

  it('write a note before they leave, once, and it stands in the turn', async () => {
    writeFileSync(join(home.work, 'notes.md'), 'The function is called convert.\n');
    await haveConversation(home, 'claude');
    home.loopback.play('NOTE: rates.ts was tried with sed and it broke the sign.');
    const asked = await galley('agent', 'handoff', 'codex', '--ask', '--print');
    expect(asked.status).toBe(0);
    expect(asked.out).toContain('it broke the sign');
    expect(
      home.loopback.calls.some(({ body }) => JSON.stringify(body).includes('takes over your work')),
    ).toBe(true);
    const again = await galley('agent', 'handoff', 'codex', '--print');
    expect(again.out).not.toMatch(/^\d+\. .*takes over your work/m);
  });
});
