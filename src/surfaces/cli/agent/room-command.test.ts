// A room from the shell: who said what and when, in both languages, and nothing made by whoever only looks.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeAgent } from '../../../testing/fake-agent/install-fake-agent.js';
import { speak } from '../words/word.js';
import {
  closeRoom,
  compactRoom,
  expandRoom,
  listRooms,
  newRoom,
  runInRoom,
  sayInRoom,
  showRoom,
} from './room-command.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-room-'));
const out: string[] = [];
const talk: string[] = [];
let printed = '';
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => talk.push(String(text)) > 0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await speak('en');
});

const said = async (work: Promise<void>) => {
  out.length = 0;
  talk.length = 0;
  await work;
  printed = out.join('');
  return printed.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'WHEN');
};

describe('galley agent room', () => {
  it('opens, says, answers, sums up, takes back, lists and closes', async () => {
    const fake = installFakeAgent(folder, 'claude', 'answer');
    await said(listRooms({}));
    expect(talk.join('')).toContain('galley agent room new');
    expect(existsSync(join(folder, '.galley'))).toBe(false);

    await said(
      newRoom('login', { agent: ['max=claude', 'lin=codex'], task: 'The login', maxTokens: '4_000' }),
    );
    await said(sayInRoom('login', 'Sessions?\n\n@max', { from: 'kailai' }));
    await said(sayInRoom('login', 'No passwords', { from: 'kailai', to: 'max', rule: true, priority: '2' }));
    expect(await said(runInRoom('login', undefined, {}))).toBe('Hello wörld 你好 😀\n');
    expect(talk).toEqual([
      'galley: the agent may only read: edits are refused; so are commands, unless its sandbox keeps them to reading.\n',
      'galley: the answer is whole, 17 tokens in (5 cached), 7 out\n',
      'galley: max answered, as message 3.\n',
    ]);
    expect(fake.call().stdin).toContain('- kailai -> all: Sessions?');
    await said(compactRoom('login', { first: '1', last: '2', text: 'Asked.', from: 'kailai' }));
    expect(await said(showRoom('login', {}))).toBe(
      [
        '   1  WHEN  kailai · in summary 4\n      Sessions?\n\n      @max\n',
        '   2  WHEN  kailai → max · rule · priority 2\n      No passwords\n',
        '   3  WHEN  max\n      Hello wörld 你好 😀\n',
        '   4  WHEN  summary of 1 to 2, by kailai\n      Asked.\n',
      ].join(''),
    );
    await said(expandRoom('login', undefined, {}));
    await speak('zh');
    expect(await said(showRoom('login', { last: '1' }))).toBe('   5  WHEN  消息 1 到 2 重新发送\n');
    await speak('en');
    installFakeAgent(folder, 'claude', 'api-400');
    await expect(runInRoom('login', 'max', {})).rejects.toMatchObject({
      code: expect.stringMatching(/^MODEL_/),
    });
    await said(closeRoom('login', {}));
    const rest = await said(showRoom('login', { last: '2' }));
    expect(rest).toMatch(
      /^ {3}6 {2}WHEN {2}the turn of max was refused \(MODEL_REFUSED\)\n {3}7 {2}WHEN {2}the room was closed\n$/,
    );
    expect(await said(listRooms({}))).toContain('login (closed)         7  WHEN  max, lin');
    await said(listRooms({ json: true }));
    expect(JSON.parse(printed).rooms[0].agents[0]).toMatchObject({ name: 'max', maxTokens: 4000 });
    expect(readFileSync(join(folder, '.galley', 'galley.db')).length).toBeGreaterThan(0);
  });

  it('says before a turn what its agent may do, where it may do more than read', async () => {
    installFakeAgent(folder, 'claude', 'answer');
    const file = join(folder, 'agents.json');
    writeFileSync(file, JSON.stringify({ name: 'max', agentType: 'claude', permission: 'edit' }));
    await said(newRoom('work', { file }));
    await said(sayInRoom('work', '@max go', { from: 'kailai' }));
    await said(runInRoom('work', undefined, {}));
    expect(talk[0]).toBe('galley: the agent may change files in this folder and nowhere else.\n');
  });

  it('refuses a room without agents, and an agent without a type, by the flag', async () => {
    for (const agent of [[], ['max='], ['=claude']])
      await expect(newRoom('x', { agent })).rejects.toMatchObject({ details: { field: '--agent' } });
  });
});
