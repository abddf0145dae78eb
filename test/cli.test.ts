// The command line as a user meets it: the real binary, real pipes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { errorTable } from '../src/core/model/error.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bin = join(process.cwd(), 'bin/galley.js');
const galley = (args: string[], input: string | Buffer = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const turn = { agentType: 'claude', contextMessages: [], currentMessage: 'Hello' };

describe('galley call', () => {
  it('answers one JSON value', () => {
    const { status, stdout } = galley(['call', 'agents:assemble'], JSON.stringify(turn));
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ prompt: '[MESSAGE]\nHello', receipt: { version: 2 } });
  });

  it('refuses with the code and exit code of the table, without a stack or a path', () => {
    const cases: [string[], string | Buffer, keyof typeof errorTable][] = [
      [['call', 'agents:assemble'], '{"agentType":"claude"', 'INVALID_ARGUMENT'],
      [['call', 'agents:assemble'], Buffer.from([0xff, 0xfe, 0x7b]), 'INVALID_ARGUMENT'],
      [['call', 'agents:assemble'], JSON.stringify({ ...turn, maxBytes: -1 }), 'INVALID_ARGUMENT'],
      [
        ['call', 'agents:assemble'],
        JSON.stringify({ ...turn, teamTask: 'long task', maxBytes: 3 }),
        'CONTEXT_BUDGET_INFEASIBLE',
      ],
      [['call', 'no:such'], '{}', 'UNKNOWN_OPERATION'],
    ];
    for (const [args, input, code] of cases) {
      const { status, stdout, stderr } = galley(args, input);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code } });
      expect(status).toBe(errorTable[code].exit);
      expect(stdout + stderr).not.toMatch(/\bat .*:\d+:\d+|\/root|\/work|\/tmp/);
    }
  });
});

describe('galley agent', () => {
  const messages = [
    { from: 'kailai', to: 'max', content: 'one' },
    { from: 'max', content: 'two' },
  ];

  it('reads JSON and JSON lines alike, the last message being the current one', () => {
    const asArray = galley(['agent', '--agent', 'gemini', '--task', 'T'], JSON.stringify(messages));
    const asLines = galley(
      ['agent', '--agent', 'gemini', '--task', 'T'],
      messages.map((m) => JSON.stringify(m)).join('\n'),
    );
    expect(asArray.stdout).toBe(
      'Team Task:\nT\n\nConversation so far:\n- kailai: one\n\nLast message:\ntwo\n',
    );
    expect(asLines).toEqual(asArray);
  });

  it('reads JSON lines with blank lines and carriage returns between them', () => {
    const lines = messages.map((m) => JSON.stringify(m)).join('\r\n\r\n');
    const { status, stdout } = galley(['agent', '--agent', 'gemini'], `${lines}\r\n`);
    expect(status).toBe(0);
    expect(stdout).toBe('Conversation so far:\n- kailai: one\n\nLast message:\ntwo\n');
    expect(galley(['agent'], `${JSON.stringify(messages[0])}\n\n{oops`).stderr).toContain('Line 3 of');
  });

  it('refuses when there is no message, and says when the current one was cut or the agent is unknown', () => {
    const empty = galley(['agent'], '');
    expect([empty.status, empty.stdout]).toEqual([2, '']);
    expect(empty.stderr).toContain('--message');
    const cut = galley(['agent', '--max-bytes', '12'], JSON.stringify(messages));
    expect(cut.stderr).toContain('the current message was cut to fit the budget');
    expect(galley(['agent', '--max-bytes', '20'], JSON.stringify(messages)).stderr).toBe('');
    expect(galley(['agent', '--agent', 'cladue'], JSON.stringify(messages)).stderr).toContain('mean claude?');
    expect(galley(['agent', '--agent', 'aider'], JSON.stringify(messages)).stderr).toBe('');
  });

  it('explains on stderr what was left out, and keeps stdout clean', () => {
    const { stdout, stderr } = galley(
      ['agent', '--agent', 'codex', '--max-bytes', '20', '--explain'],
      JSON.stringify(messages),
    );
    expect(stdout).toBe('[MESSAGE]\ntwo\n');
    expect(stderr).toMatch(/13 of 20 bytes used/);
    expect(stderr).toMatch(/left out: message:0/);
  });

  it('takes the system text from a file and says when it is missing', () => {
    writeFileSync(join(folder, 'system.md'), 'You are Max.\n');
    const { stdout } = galley(['agent', '--json', '--system-file', 'system.md'], JSON.stringify(messages));
    expect(JSON.parse(stdout)).toMatchObject({ systemFlag: 'You are Max.' });
    const missing = galley(['agent', '--system-file', 'nowhere.md'], '[]');
    expect(missing.status).toBe(errorTable.FILE_UNREADABLE.exit);
    expect(missing.stderr).toContain('nowhere.md');
  });

  it('refuses a wrong flag with usage', () => {
    expect(galley(['agent', '--max-bytes', 'many'], '[]').status).toBe(2);
    expect(galley(['agent', '--nonsense'], '[]').status).toBe(2);
  });
});
