// galley agent sessions, inspect and handoff, as a person types them: what is printed, in both languages, and what never is.
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../git/testing/scratch-repository.js';
import { installFakeAgent } from '../../../testing/fake-agent/install-fake-agent.js';
import { createEngine } from '../../engine.js';
import { widthOf } from '../terminal/text-width.js';
import { speak } from '../words/word.js';
import { handoffCommand } from './handoff-command.js';
import { inspectCommand, sessionsCommand } from './inspect-command.js';

const home = scratchFolder();
const repository = scratchRepository({ folder: join(home, 'rates') });
repository.write('notes.md', 'The function is called convert.\n');
repository.commit('one');
repository.write('notes.md', 'The function is called exchange.\n');

let printed = '';
let said = '';

beforeAll(() => {
  const put = (name: string, path: string, seconds: number) => {
    const fixture = new URL(`../../../agents/sessions/fixtures/${name}.jsonl`, import.meta.url);
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(
      join(home, path),
      readFileSync(fixture, 'utf8').replaceAll('/home/ada/rates', repository.folder),
    );
    utimesSync(join(home, path), seconds, seconds);
  };
  const project = repository.folder.replace(/[^A-Za-z0-9]/g, '-');
  put('claude', `.claude/projects/${project}/e7a1.jsonl`, 20);
  put('claude-compacted', `.claude/projects/${project}/f8b2.jsonl`, 10);
  put(
    'codex',
    '.codex/sessions/2026/11/16/rollout-2026-11-16T17-20-15-01a1e55f-aef2-70e3-bf6d-5f48d336fa09.jsonl',
    5,
  );
});
beforeEach(() => {
  printed = '';
  said = '';
  vi.stubEnv('HOME', home);
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME', 'GALLEY_SESSIONS'])
    vi.stubEnv(name, '');
  vi.spyOn(process, 'cwd').mockReturnValue(repository.folder);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await speak('en');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('galley agent sessions', () => {
  it('lists what there is here, newest first', async () => {
    await sessionsCommand({});
    expect(printed.match(/(?:claude|codex):\w{4}/g)).toEqual(['claude:e7a1', 'claude:f8b2', 'codex:01a1']);
    printed = '';
    await sessionsCommand({ limit: '1', json: true });
    expect(JSON.parse(printed)).toMatchObject({ sessions: [{ cli: 'claude', id: 'e7a1' }], total: 3 });
    expect(printed).not.toContain(home);
  });
});

describe('galley agent inspect', () => {
  it.each(['en', 'zh'] as const)(
    'fits eighty columns in %s, and tells no word of the session',
    async (language) => {
      await speak(language);
      for (const session of [undefined, 'claude:f8', 'codex']) await inspectCommand(session, {});
      for (const line of printed.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(80);
      for (const words of ['Rename', '汇率', 'half-even', home]) expect(printed).not.toContain(words);
      expect(printed).toContain('rates.ts');
      expect(printed).toContain('18,775');
      expect(printed).toContain(language === 'en' ? 'before the messages' : '消息之前');
      expect(printed).toContain(language === 'en' ? 'on request' : '按要求');
    },
  );
});

describe('galley agent handoff', () => {
  it('prints the turn, and says beside it what is in and what is not', async () => {
    await handoffCommand('codex', { from: 'claude', print: true });
    expect(printed).toMatch(/^You take over work that another agent \(Claude Code\) began/);
    expect(printed).toContain('+The function is called exchange.');
    expect(said).toContain('From Claude Code to Codex:');
    expect(said).toMatch(/Left out: 6 tool results/);
  });

  const session = () => join(home, '.claude/projects', project, `${asked}.jsonl`);
  const asked = '0d94148c-a323-48bd-b1c8-1241590650c7';
  const project = repository.folder.replace(/[^A-Za-z0-9]/g, '-');
  const put = (more = '') => {
    const fixture = new URL('../../../agents/sessions/fixtures/claude.jsonl', import.meta.url);
    writeFileSync(session(), `${readFileSync(fixture, 'utf8')}${more}`);
    utimesSync(session(), 1, 1);
  };

  it('has the agent that leaves write a note, read only and in its own session, on request', async () => {
    put();
    const fake = installFakeAgent(home, 'claude', 'answer');
    vi.stubEnv('PATH', `${home}${delimiter}${process.env.PATH}`);
    await handoffCommand('codex', { from: `claude:${asked}`, ask: true, print: true });
    expect(printed).toMatch(
      /## A note that the agent wrote for you[^\n]*\nClaude Code: Hello wörld 你好 😀\n/,
    );
    expect(said).toMatch(/^galley: the agent that leaves is asked for a note: .* which costs\.\n/);
    expect(said).toContain('The note is in: 17 tokens in, 7 out.');
    const { args, stdin, cwd } = fake.call();
    expect([args[args.indexOf('--resume') + 1], cwd]).toEqual([asked, repository.folder]);
    expect(args.join(' ')).not.toMatch(/acceptEdits|bypassPermissions/);
    expect(stdin).toContain('Change nothing');
    // The question stands in its session from then on, and is none of the user's.
    put(`${JSON.stringify({ type: 'user', message: { role: 'user', content: stdin } })}\n`);
    printed = '';
    await handoffCommand('codex', { from: `claude:${asked}`, print: true });
    expect(printed).not.toContain('Change nothing');
    expect(fake.records()).toHaveLength(1);
  });

  it('goes on without the note where there is none, and says so', async () => {
    put();
    installFakeAgent(home, 'claude', 'no-session');
    vi.stubEnv('PATH', `${home}${delimiter}${process.env.PATH}`);
    await handoffCommand('codex', { from: `claude:${asked}`, ask: true, print: true });
    expect(printed).toContain('1. Rename convert');
    expect(printed).not.toContain('A note that');
    expect(said).toContain('galley: the agent that leaves wrote no note (NOT_FOUND);');
    printed = '';
    await handoffCommand('codex', { from: `claude:${asked}`, ask: true, json: true });
    expect(JSON.parse(printed)).toMatchObject({
      counts: { notes: 0 },
      warnings: [{ code: 'NOTE_MISSING', details: { code: 'NOT_FOUND' } }],
    });
  });

  it('says that a session file is damaged, and counts one as one', async () => {
    put('{"type":"user","mess');
    await handoffCommand('codex', { from: `claude:${asked}`, print: true });
    expect(said).toContain('galley: the session file is damaged: 1 line cut off or no JSON');
    expect(said).toContain('1 decision,');
    expect(said).not.toMatch(/\b1 (?:files|lines|requests|decisions|messages)\b/);
  });

  it('opens nothing where there is no terminal, and does not do two things at once', async () => {
    const { isTTY } = process.stdin;
    process.stdin.isTTY = false;
    await expect(handoffCommand('codex', {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    process.stdin.isTTY = isTTY;
    await expect(handoffCommand('codex', { print: true, run: true })).rejects.toThrow('--print or --run');
  });
});

describe('the agent’s own counts', () => {
  it('are asked for only after it was said who will see the session', async () => {
    const command = join(home, 'counting-claude');
    const categories = [
      { name: 'System prompt', tokens: 5_000 },
      { name: 'System tools', tokens: 17_000 },
      { name: 'Memory files', tokens: 160 },
      { name: 'Messages', tokens: 9_000 },
      { name: 'Free space', tokens: 160_000 },
    ];
    const memoryFiles = [{ path: join(repository.folder, 'CLAUDE.md'), tokens: 160 }];
    const response = { categories, memoryFiles, messageBreakdown: { toolResultTokens: 4_000 } };
    const answer = { type: 'control_response', response: { response } };
    writeFileSync(
      command,
      `#!${process.execPath}\nprocess.stdin.once('data', () => { console.log(${JSON.stringify(JSON.stringify(answer))}); });\n`,
      { mode: 0o755 },
    );
    vi.stubEnv('GALLEY_CLAUDE', command);
    await inspectCommand('claude:e7a1', { exact: true });
    expect(said).toContain('counted by its provider, so its text is sent there');
    expect(printed).toMatch(/memory files +160 +1/);
    expect(printed).toMatch(/tool results +4,000 +6/);
    expect(printed).toMatch(/memory file CLAUDE\.md/);
    expect(printed).toMatch(/^31,160 of/m);
    expect(printed).not.toMatch(/^not in the file/m);
  });

  it('are refused where there are none', async () => {
    await expect(inspectCommand('codex', { exact: true })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('only Claude Code'),
    });
  });
});

describe('another door than the shell', () => {
  it('reads no sessions unless its owner allows it', async () => {
    const engine = createEngine({ folder: repository.folder, store: ':memory:' });
    for (const [id, request] of [
      ['agents:sessions:list', {}],
      ['agents:inspect', {}],
      ['agents:handoff', { to: 'codex' }],
    ] as const) {
      await expect(engine.call(id, request)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    vi.stubEnv('GALLEY_SESSIONS', 'allow');
    expect(await engine.call('agents:inspect', {})).toMatchObject({ cli: 'claude', id: expect.any(String) });
    await engine.close();
  });

  it('reads the session that an agent and an id, or an agent and a file name', async () => {
    vi.stubEnv('GALLEY_SESSIONS', 'allow');
    const engine = createEngine({ folder: repository.folder, store: ':memory:' });
    const project = repository.folder.replace(/[^A-Za-z0-9]/g, '-');
    const path = join(home, `.claude/projects/${project}/e7a1.jsonl`);
    const named = await engine.call('agents:inspect', { agentType: 'claude-code', session: 'e7a1' });
    expect(named).toMatchObject({ parts: expect.any(Array), cacheBreaks: expect.any(Array) });
    const byFile = await engine.call('agents:inspect', { agentType: 'claude', path });
    expect(byFile).toMatchObject({ parts: (named as { parts: unknown }).parts });
    for (const [request, code] of [
      [{ path }, 'INVALID_ARGUMENT'],
      [{ agentType: 'nobody' }, 'INVALID_ARGUMENT'],
      [{ agentType: 'codex', path: 'nowhere.jsonl' }, 'NOT_FOUND'],
    ] as const)
      await expect(engine.call('agents:inspect', request)).rejects.toMatchObject({ code });
    await engine.close();
  });
});
