// The first minute with the built program: a clean branch, a folder of chapters, an agent without a message.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../git/testing/scratch-repository.js';

const bin = join(process.cwd(), 'bin/galley.js');
let folder = '';

beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function galley(cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    input: '',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C', ...env },
  });
  return { status, stdout, stderr };
}

describe('galley on a clean branch', () => {
  let repository: ScratchRepository;
  beforeEach(() => {
    repository = scratchRepository({ folder: join(folder, 'repository') });
    repository.write('src/refund.ts', 'export const refund = (cents: number) => cents;\n');
    repository.commit('start');
  });

  function merge(subject: string): string {
    repository.git('checkout', '-q', '-b', 'topic');
    repository.write('src/refund.ts', 'export const refund = (cents: number) => Math.max(0, cents);\n');
    repository.commit('inside the topic');
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--no-ff', '-m', subject, 'topic');
    repository.git('branch', '-q', '-D', 'topic');
    return repository.git('rev-parse', 'HEAD');
  }

  it('shows the last merge, says so, and names the command that has it reviewed', () => {
    const id = merge('Retry refunds').slice(0, 10);
    repository.write('notes.md', 'Later.\n');
    repository.commit('a commit after the merge');
    const { status, stdout, stderr } = galley(repository.folder);
    expect([status, stderr]).toEqual([0, '']);
    const [first, blank, head] = stdout.split('\n');
    expect(first).toBe(`Nothing to review in the working tree; this is the last merge, ${id} Retry refunds`);
    expect([blank, head]).toEqual(['', expect.stringContaining(`Review of ${id} against`)]);
    expect(stdout).toMatch(/src\/refund\.ts +1 +1/);
    expect(stdout).not.toContain('notes.md');
    expect(stdout).toContain(`galley review --commit ${id} --model`);
    expect(galley(repository.folder, ['review']).stdout).toBe(stdout);
    expect(galley(repository.folder, ['--lang', 'zh']).stdout).toContain(
      `工作区没有改动；下面是最近一次合并：${id} Retry refunds`,
    );
  });

  it('shows the last commit where nobody merges, or not lately', () => {
    const shown = () => galley(repository.folder).stdout;
    expect(shown()).toMatch(/this is the last commit, [0-9a-f]{10} start\n/);
    merge('Long ago');
    for (let n = 1; n <= 20; n += 1) {
      repository.write('notes.md', `${n}\n`);
      repository.commit(`note ${n}`);
      if (n === 19) expect(shown()).toMatch(/this is the last merge, [0-9a-f]{10} Long ago\n/);
    }
    expect(shown()).toMatch(/this is the last commit, [0-9a-f]{10} note 20\n/);
  });

  it('gives way to a change, and to whoever names one', () => {
    merge('Retry refunds');
    for (const args of [['--working'], ['--staged'], ['--base', 'HEAD']]) {
      const { status, stdout } = galley(repository.folder, ['review', ...args]);
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^Nothing to review in .*\n.*\n$/)]);
    }
    expect(JSON.parse(galley(repository.folder, ['review', '--json']).stdout).chunks).toEqual([]);
    repository.write('src/refund.ts', 'export const refund = 0;\n');
    expect(galley(repository.folder).stdout).toMatch(/^Review of the working tree\n/);
  });

  it('takes a range alone for the change to look at, and says of a test that it is one', () => {
    repository.write(
      'src/refund_test.go',
      'package refund\n\nfunc TestRefund(t *testing.T) {\n\tt.Log(1)\n}\n',
    );
    repository.commit('a test');
    repository.write(
      'src/refund_test.go',
      'package refund\n\nfunc TestRefund(t *testing.T) {\n\tt.Log(2)\n}\n',
    );
    repository.commit('another test');
    const { status, stdout } = galley(repository.folder, ['HEAD~1..HEAD']);
    expect([status, stdout]).toEqual([0, galley(repository.folder, ['review', 'HEAD~1..HEAD']).stdout]);
    expect(stdout).toMatch(/refund_test\.go .*test code changed/);
    expect(galley(repository.folder, ['../nowhere']).status).toBe(2);
  });

  it('explains what it shows', () => {
    merge('Retry refunds');
    const { status, stderr } = galley(repository.folder, ['review', '--explain', 'src/refund.ts']);
    expect([status, stderr]).toEqual([0, expect.stringContaining('src/refund.ts:L1')]);
  });

  it('keeps a subject that would steer the terminal to one line without control characters', () => {
    repository.write('src/refund.ts', 'export const refund = 1;\n');
    repository.raw(['add', '-A']);
    repository.raw(['commit', '-q', '-F', '-'], {
      input: `\u001b[2Jcleared ${'long '.repeat(60)}\n\nbody\n`,
    });
    const { stdout } = galley(repository.folder);
    expect(stdout).toContain('?[2Jcleared long long');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('body');
    expect(stdout.split('\n\n')[0]?.length).toBeLessThan(160);
  });

  it('says only that there is nothing where the last commit is empty, hidden or not there', () => {
    repository.commit('nothing in it');
    expect(galley(repository.folder).stdout).toMatch(/^Nothing to review in the working tree\.\n/);
    repository.write('a.txt', 'a\n');
    repository.commit('second');
    repository.git('clone', '-q', '--depth', '1', `file://${repository.folder}`, join(folder, 'shallow'));
    const { status, stdout } = galley(join(folder, 'shallow'));
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^Nothing to review in the working tree\.\n/),
    ]);
    const fresh = scratchRepository({ folder: join(folder, 'fresh') });
    expect(galley(fresh.folder).stdout).toContain('There is no commit yet either');
  });
});

describe('galley write alone', () => {
  const book = () => join(folder, 'book');
  function chapter(name: string, text: string): void {
    mkdirSync(book(), { recursive: true });
    writeFileSync(join(book(), name), text);
  }

  it('says what is in the folder and what comes next, and leaves no file behind', () => {
    for (let n = 1; n <= 12; n += 1) chapter(`${n}.md`, `# Chapter ${n}\n\nIt rained again.\n`);
    const { status, stdout, stderr } = galley(book(), ['write']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^12 chapters here, 60 words: Chapter 1 – Chapter 12\n/);
    expect(stdout).toContain('galley write init');
    expect(readdirSync(book())).toHaveLength(12);
    const shown = galley(book(), ['write', 'status', '--json']);
    expect(galley(book(), ['write', '--json'])).toEqual(shown);
    const next = /galley (write inspect 12)\b/.exec(stdout)?.[1] ?? '';
    expect(galley(book(), next.split(' ')).status).toBe(0);
    expect(galley(book(), ['write'], { LC_ALL: 'zh_CN.UTF-8' }).stdout).toMatch(/^这里有 12 章，共 60 字：/);
  });

  it('counts what a model would get beside the text once that is noted', () => {
    chapter('1.md', '# One\n\nRain.\n');
    expect(galley(book(), ['write', 'init']).status).toBe(0);
    expect(galley(book(), ['write']).stdout).toContain('galley write constraints add');
    galley(book(), ['write', 'constraints', 'add', 'Past tense only']);
    const { stdout } = galley(book(), ['write']);
    expect(stdout).toMatch(/^1 chapter here, 2 words: One\n/);
    expect(stdout).toContain('1 rule, 0 people and places, 0 things to remember');
    expect(stdout).not.toMatch(/write init|constraints add/);
    chapter('1.md', '# One\n\nMore rain.\n');
    expect(galley(book(), ['write']).stdout).toContain('galley write index');
  });

  it('names a chapter by its path where a number means two', () => {
    chapter('a.md', '# Chapter 1\n\nRain.\n');
    chapter("b's.md", '# Chapter 1\n\nSun.\n');
    expect(galley(book(), ['write']).stdout).toContain(`galley write inspect 'b'\\''s.md'\n`.trimEnd());
  });

  it('says where chapters are looked for when there is none, and still knows a misspelt word', () => {
    const { status, stdout } = galley(folder, ['write']);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^No chapters here\. .*\.md/)]);
    const misspelt = galley(folder, ['write', 'statu']);
    expect([misspelt.status, misspelt.stderr]).toEqual([2, expect.stringContaining('did you mean "status"')]);
  });
});

describe('galley agent without a message', () => {
  it('says what is installed and what comes next, and prints no prompt', () => {
    const codex = join(folder, 'codex');
    writeFileSync(codex, '#!/bin/sh\nexit 9\n', { mode: 0o755 });
    for (const args of [['agent'], ['agent', 'run']]) {
      const { status, stdout, stderr } = galley(folder, args, { GALLEY_CODEX: codex, PATH: '' });
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Agent CLIs installed here: Codex. Not installed: Claude Code, Gemini CLI.');
      expect(stderr).toContain('galley agent run --agent codex --message');
      expect(stderr).not.toContain(folder);
    }
    const chinese = galley(folder, ['agent'], { GALLEY_CODEX: codex, PATH: '', LC_ALL: 'zh_CN.UTF-8' });
    expect(chinese.stderr).toContain('本机已安装的智能体 CLI：Codex。');
  });

  it('offers what works without any, and refuses a program that reads JSON', () => {
    const { stderr } = galley(folder, ['agent'], { PATH: '' });
    expect(stderr).toContain('No agent CLI is installed here (Claude Code, Codex, Gemini CLI)');
    expect(stderr).not.toContain('agent run');
    expect(galley(folder, ['agent', '--message', 'Hi', '--explain'], { PATH: '' }).status).toBe(0);
    const json = galley(folder, ['agent', '--json'], { PATH: '' });
    expect([json.status, JSON.parse(json.stdout).error.code]).toEqual([2, 'INVALID_ARGUMENT']);
  });
});
