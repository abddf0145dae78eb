// The built program, several of it at once and where a disk refuses: nothing is lost, nothing is half written.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepSize } from '../sweep-size.js';

const bin = join(process.cwd(), 'bin/galley.js');
let root = '';
let folder = '';
const list = () => join(folder, '.galley', 'constraints.md');
const text = () => readFileSync(list(), 'utf8');

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-writers-')));
  folder = join(root, '回声站');
  cpSync('examples/novel', folder, { recursive: true, filter: (path) => !path.includes('galley.db') });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function galley(
  args: readonly string[],
  { killAfterMs, limit }: { killAfterMs?: number; limit?: number } = {},
): Promise<Ended> {
  const [command, first] =
    limit === undefined
      ? [process.execPath, [bin]]
      : ['bash', ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, bin]];
  const child = spawn(command, [...first, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: root, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve) =>
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ status, ...said });
    }),
  );
}

const leftovers = () => readdirSync(join(folder, '.galley')).filter((name) => /\.tmp$|^\.lock/.test(name));

describe('galley write, several at once', () => {
  it('loses no rule', async () => {
    await galley(['write', 'init']);
    const rules = Array.from({ length: 6 }, (_, nth) => `第${nth}条同时写下的规则`);
    const ended = await Promise.all(rules.map((rule) => galley(['write', 'constraints', 'add', rule])));
    expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual(rules.map(() => [0, '']));
    for (const rule of rules) expect(text().split(`- ${rule}\n`)).toHaveLength(2);
    expect(leftovers()).toEqual([]);
  }, 60_000);

  it('killed at any moment, leaves a list that is whole, and the next one goes on', async () => {
    await galley(['write', 'init']);
    const tries = sweepSize('kills while a rule is added', { everyRun: 6, nightly: 60 });
    for (let nth = 0; nth < tries; nth += 1) {
      const before = text();
      const rule = `第${nth}次被打断的规则`;
      await galley(['write', 'constraints', 'add', rule], { killAfterMs: 180 + ((nth * 37) % 300) });
      const isThere = text() !== before;
      const again = await galley(['write', 'constraints', 'add', rule]);
      expect(again.status).toBe(isThere ? 2 : 0);
      expect(text().split(`- ${rule}\n`)).toHaveLength(2);
      for (const line of before.split('\n')) expect(text().split('\n')).toContain(line);
    }
  }, 240_000);
});

describe('galley write where a file cannot be written', () => {
  it('says so once, and leaves the file as it was', async () => {
    await galley(['write', 'init']);
    writeFileSync(list(), `- 短句\n\n${'备忘。'.repeat(90_000)}\n`);
    const before = text();
    const { status, stderr } = await galley(['write', 'constraints', 'add', '没有魔法'], { limit: 600 });
    expect([status, stderr]).toEqual([
      5,
      expect.stringContaining('.galley/constraints.md cannot be written'),
    ]);
    expect(text()).toBe(before);
    expect(leftovers()).toEqual([]);
  }, 30_000);

  it('follows no link out of the folder', async () => {
    await galley(['write', 'init']);
    rmSync(list());
    writeFileSync(join(root, 'outside.md'), '- 外面\n');
    symlinkSync(join(root, 'outside.md'), list());
    const { status, stderr } = await galley(['write', 'constraints', 'add', '没有魔法']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('leaves the working folder')]);
    expect(readFileSync(join(root, 'outside.md'), 'utf8')).toBe('- 外面\n');
    mkdirSync(join(root, 'cards'));
    symlinkSync(join(root, 'cards'), join(folder, '设定'));
    expect((await galley(['write', 'people', 'add', '月尘', '细'])).status).toBe(0);
    expect(readdirSync(join(root, 'cards'))).toEqual([]);
    expect(existsSync(join(folder, '.galley', 'characters', '月尘.md'))).toBe(true);
  }, 30_000);

  it('names a list that is not UTF-8, and does not write into it', async () => {
    await galley(['write', 'init']);
    const gbk = Buffer.from([0x2d, 0x20, 0xb6, 0xcc, 0xbe, 0xe4, 0x0a]);
    writeFileSync(list(), gbk);
    const { status, stderr } = await galley(['write', 'constraints', 'add', '没有魔法']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('.galley/constraints.md cannot be read')]);
    expect(readFileSync(list())).toEqual(gbk);
  }, 30_000);
});
