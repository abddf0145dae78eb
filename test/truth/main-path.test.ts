// The built program on a book, as the guide tells it: what is told by command stands in files, and the database is an index.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const bin = join(process.cwd(), 'bin/galley.js');
let root = '';
let folder = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-main-path-')));
  folder = join(root, '回声站');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function galley(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'write', ...args], {
    cwd: folder,
    input: '',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, LC_ALL: 'C' },
  });
  expect([args, status, stderr]).toEqual([args, 0, expect.any(String)]);
  return stdout;
}

const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-|#[0-9a-f]{12}/;

describe('a book by command', () => {
  it('is in its files, without the database too, and no id is ever read or typed', () => {
    cpSync('examples/novel', folder, { recursive: true, filter: (path) => !path.includes('galley.db') });
    git('init', '-q');
    galley('init');
    galley('constraints', 'add', '不出现手机', '--kind', 'world');
    galley('constraints', 'edit', '手机', '不出现手机和电脑', '--pin');
    galley('people', 'add', '月尘', '细得像面粉', '--alias', '尘');
    galley('people', 'fact', '月尘', '会发光', '--from', '3', '--until', '7');
    galley('people', 'fact', '月尘', '它是活的', '--secret', '--until', '7');
    galley('memory', 'add', '段落要短');
    const lists = () => ['constraints', 'people', 'memory'].map((list) => galley(list));
    const prompts = () => ['3', '6'].map((chapter) => galley('assemble', chapter));
    const before = { lists: lists(), prompts: prompts() };
    expect(before.lists.join('\n')).not.toMatch(uuid);
    expect(before.prompts[0]).toContain('不出现手机和电脑');
    expect(before.prompts[1]).toContain('会发光');
    expect(before.prompts[1]).not.toContain('它是活的');
    for (const name of readdirSync(join(folder, '.galley')))
      if (name.startsWith('galley.db')) rmSync(join(folder, '.galley', name));
    expect({ lists: lists(), prompts: prompts() }).toEqual(before);
    git('add', '-A');
    const kept = git('-c', 'core.quotePath=false', 'ls-files', '.galley').split('\n');
    expect(kept).toEqual(expect.arrayContaining(['.galley/memory.md', '.galley/characters/月尘.md']));
    expect(kept.filter((path) => /galley\.db|\.lock|\.tmp/.test(path))).toEqual([]);
  }, 60_000);

  it('fits a screen however long it is', () => {
    mkdirSync(folder);
    for (let chapter = 1; chapter <= 120; chapter += 1)
      writeFileSync(join(folder, `${chapter}.md`), `# 第${chapter}章\n\n门开了，she went in.\n`);
    galley('init');
    const shown = galley('status');
    expect(shown.split('\n').length).toBeLessThanOrEqual(24);
    expect(shown).toContain('galley write status --all');
    expect(shown).toContain('120 chapters · 960 words');
    expect(galley('status', '--all').split('\n').length).toBeGreaterThan(120);
    expect(readFileSync(join(folder, '.galley', '.gitignore'), 'utf8')).toContain('galley.db*');
  }, 60_000);
});
