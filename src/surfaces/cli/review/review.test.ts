import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  inFolder,
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../../git/testing/scratch-repository.js';
import { topicRepository } from '../../../git/testing/topic-repository.js';
import { widthOf } from '../terminal/text-width.js';
import { reviewCommand } from './review-command.js';

let repository: ScratchRepository;
const written: string[] = [];

beforeAll(() => {
  repository = topicRepository({ 'src/a.ts': 'export const a = 2;\n', 'yarn.lock': 'x\n' });
});
afterAll(() => repository.dispose());
afterEach(() => {
  vi.restoreAllMocks();
  written.length = 0;
});

async function review(options: object = {}): Promise<string> {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  await reviewCommand({ repo: repository.folder, linter: [], price: '3', ...options });
  return written.join('');
}

describe('galley review', () => {
  it('shows what the branch adds to the one it was cut from', async () => {
    const table = await review();
    expect(table).toMatch(/src\/a\.ts\s+1\s+1\s+1\s+\d+/);
    expect(table).toMatch(/Left out \(1\)\n {2}yarn\.lock\s+\+1 -0\s+lockfile/);
    expect(table).toMatch(/1 page, [\d,]+ tokens, counted with o200k_base/);
    expect(table).toMatch(/about \$0\.\d+ for a model to read, at \$3 per million tokens/);
    expect(table).not.toContain(repository.folder);
  });

  it('says of a change without a page that nothing is sent, and invites nobody to have it reviewed', async () => {
    const table = await review({ paths: ['yarn.lock'] });
    expect(table).toContain('  Partial: 0 files (+0 -0); left out 2 files');
    expect(table).toContain('  0 pages: nothing of this change would be sent.\n');
    expect(table).not.toContain('--model');
    await expect(review({ context: 'lots' })).rejects.toMatchObject({
      message: '--context: must be a whole number, 1 or more, or plan or none.',
    });
  });

  it('refuses to explain what is not in the change, and knows what was meant', async () => {
    const out = join(repository.folder, 'never');
    for (const [explain, message] of [
      ['src/b.ts', '--explain: the change has no path or unit of that name; did you mean "src/a.ts"?'],
      ['yarn.loc', '--explain: the change has no path or unit of that name; did you mean "yarn.lock"?'],
      ['something else', '--explain: the change has no path or unit of that name.'],
    ] as const)
      for (const json of [false, true])
        await expect(review({ explain, out, json })).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          message,
        });
    expect(existsSync(out)).toBe(false);
    expect(written).toEqual([]);
  });

  it('explains a path, a unit, and why a path is left out', async () => {
    let told = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      told += String(text);
      return true;
    });
    await review({ explain: 'src/a.ts' });
    const unit = /^(\S+) {2}src\/a\.ts:/m.exec(told)?.[1] ?? '';
    told = '';
    await review({ explain: unit });
    expect(told).toContain(`${unit}  src/a.ts:`);
    await review({ explain: 'yarn.lock' });
    expect(told).toContain('yarn.lock is left out: lockfile\n');
  });

  it('puts what matters most first', async () => {
    const risky = scratchRepository();
    try {
      risky.write('README.md', 'A project.\n');
      risky.commit('start');
      risky.write('a-notes.md', 'Notes.\n');
      risky.write('src/auth/login.ts', 'export const login = (password: string) => password.length > 8;\n');
      const table = await review({ repo: risky.folder, working: true });
      expect(table.indexOf('src/auth/login.ts')).toBeLessThan(table.indexOf('a-notes.md'));
      expect(table).toMatch(/login\.ts.*code about secrets, identity/);
    } finally {
      risky.dispose();
    }
  });

  it('prints the pages and the receipt as JSON', async () => {
    const answer = JSON.parse(await review({ json: true }));
    expect(answer.chunks[0].files).toEqual(['src/a.ts']);
    expect(answer.receipt.accounting.onPages).toEqual({ added: 1, removed: 1 });
  });

  it('hands over pages with the context a reviewer gets, or without where that is asked for', async () => {
    const callers = scratchRepository();
    try {
      callers.write('src/rate.ts', 'export function rate(cents: number) {\n  return cents * 2;\n}\n');
      callers.write(
        'src/bill.ts',
        "import { rate } from './rate.js';\n\nexport const bill = () => rate(5);\n",
      );
      callers.commit('start');
      callers.write(
        'src/rate.ts',
        'export function rate(cents: number, factor: number) {\n  return cents * factor;\n}\n',
      );
      const textOf = async (options: object) => {
        const said = await review({ repo: callers.folder, working: true, json: true, ...options });
        // What was said before stands above it.
        return JSON.parse(said.trim().split('\n').at(-1) ?? '').chunks[0].text;
      };
      expect(await textOf({})).toContain('rate(5)');
      expect(await textOf({ context: 'none' })).not.toContain('rate(5)');
    } finally {
      callers.dispose();
    }
  });

  it('writes a folder that is complete or not there', async () => {
    const out = join(repository.folder, '.git', 'pages');
    await review({ out });
    expect(readdirSync(out).sort()).toEqual(['.gitignore', 'page-001.md', 'receipt.json']);
    expect(readFileSync(join(out, 'page-001.md'), 'utf8')).toContain('# Context Chunk 1/1');
    await review({ out, staged: true });
    expect(readdirSync(out).sort()).toEqual(['.gitignore', 'receipt.json']);
    writeFileSync(join(out, 'mine.txt'), 'mine');
    await expect(review({ out })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(existsSync(join(out, 'mine.txt'))).toBe(true);
    expect(readdirSync(join(repository.folder, '.git')).filter((name) => name.startsWith('.pages'))).toEqual(
      [],
    );
  });

  it.each([
    [{ base: 'nowhere' }, 'REVISION_NOT_FOUND'],
    [{ staged: true, base: 'main' }, 'INVALID_ARGUMENT'],
    [{ maxPages: 'two' }, 'INVALID_ARGUMENT'],
    [{ linter: ['eslint'] }, 'INVALID_ARGUMENT'],
    [{ linter: ['klingon:x.json'] }, 'INVALID_ARGUMENT'],
    [{ meter: 'thumb' }, 'INVALID_ARGUMENT'],
    [{ skill: 'absent.md' }, 'FILE_UNREADABLE'],
    [{ price: 'much' }, 'INVALID_ARGUMENT'],
  ])('refuses %j with %s', async (options, code) => {
    await expect(review(options)).rejects.toMatchObject({ code });
  });

  it('works on a branch without commits, and not outside of a repository', async () => {
    const fresh = scratchRepository();
    const nowhere = scratchFolder();
    try {
      fresh.write('a.txt', 'a\n');
      expect(await review({ repo: fresh.folder })).toContain('a.txt');
      await expect(review({ repo: nowhere })).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
    } finally {
      fresh.dispose();
    }
  });

  it('names the branch it compares with, and says what is not committed yet', async () => {
    const topic = scratchRepository();
    try {
      topic.write('a.txt', 'one\n');
      topic.commit('start');
      topic.git('checkout', '-q', '-b', 'topic');
      topic.write('a.txt', 'two\n');
      topic.commit('topic');
      expect(await review({ repo: topic.folder })).not.toContain('not yet committed');
      topic.write('b.txt', 'new\n');
      topic.write('a.txt', 'three\n');
      written.length = 0;
      const table = await review({ repo: topic.folder });
      expect(table).toMatch(/^Review of [0-9a-f]{10} against main \([0-9a-f]{10}\)\n/);
      expect(table).toContain('! 2 files not yet committed, and not in this plan: galley review --working');
      written.length = 0;
      expect(await review({ repo: topic.folder, base: 'main' })).not.toContain('not yet committed');
    } finally {
      topic.dispose();
    }
  });

  it('names the next step when there is nothing to review', async () => {
    const fresh = scratchRepository();
    try {
      expect(await review({ repo: fresh.folder })).toContain('There is no commit yet either');
      fresh.write('a.txt', 'one\n');
      fresh.commit('start');
      written.length = 0;
      expect(await review({ repo: fresh.folder })).toContain('this is the last commit');
      written.length = 0;
      expect(await review({ repo: fresh.folder, working: true })).toContain('galley review --commit HEAD');
      written.length = 0;
      expect(await review({ repo: fresh.folder, staged: true })).toContain('git add something first');
    } finally {
      fresh.dispose();
    }
  });

  it('shows where a renamed file came from', async () => {
    const moved = scratchRepository();
    try {
      moved.write('old.txt', 'one\ntwo\nthree\nfour\n');
      moved.commit('start');
      moved.git('mv', 'old.txt', 'new.txt');
      expect(await review({ repo: moved.folder, staged: true })).toMatch(
        /new\.txt \(from old\.txt\)\s+0\s+0/,
      );
    } finally {
      moved.dispose();
    }
  });

  it('leaves its own pages out of the next review', async () => {
    const fresh = scratchRepository();
    try {
      fresh.write('a.txt', 'one\n');
      await review({ repo: fresh.folder, out: join(fresh.folder, 'pages') });
      written.length = 0;
      expect(await review({ repo: fresh.folder })).not.toContain('page-001.md');
      written.length = 0;
      expect(await review({ repo: fresh.folder, out: join(fresh.folder, 'pages') })).toContain(
        'Wrote 1 page ',
      );
      writeFileSync(join(fresh.folder, 'pages', '.gitignore'), 'mine\n');
      await expect(review({ repo: fresh.folder, out: join(fresh.folder, 'pages') })).rejects.toMatchObject({
        code: 'ALREADY_EXISTS',
      });
    } finally {
      fresh.dispose();
    }
  });

  it('lists what could not be read as left out, once, and never calls it complete', async () => {
    const locked = scratchRepository();
    try {
      locked.write('a.txt', 'one\n');
      locked.write('nested/a.txt', 'one\n');
      inFolder(join(locked.folder, 'nested')).git('init', '-q', '-b', 'main', '.');
      const table = await review({ repo: locked.folder });
      expect(table).toContain('Partial: 1 file (+1 -0); left out 1 file: 1 could not be read (+0 -0).');
      expect(table).toMatch(/Left out \(1\)\n {2}nested\/ +\+0 -0 {2}could not be read\n/);
      expect(table).toMatch(/! [^!]*\(WORKING_PATHS_SKIPPED\)\n(?! {2}nested)/);
    } finally {
      locked.dispose();
    }
  });

  it.each([50, 80])('keeps to a terminal of %i places', async (columns) => {
    const before = Object.getOwnPropertyDescriptor(process.stdout, 'columns');
    Object.defineProperty(process.stdout, 'columns', { value: columns, configurable: true });
    try {
      const lines = (await review()).split('\n');
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      expect(lines.join('\n').includes('why it matters')).toBe(columns === 80);
    } finally {
      if (before === undefined) Reflect.deleteProperty(process.stdout, 'columns');
      else Object.defineProperty(process.stdout, 'columns', before);
    }
  });
});
