import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeAgent } from '../../../testing/fake-agent/install-fake-agent.js';
import { createEngine } from '../../engine.js';
import { jsonAnswer, jsonCommands } from '../operations/operation-commands.js';
import { programFor } from '../program.js';
import { reportError } from '../report-error.js';
import { commandIn, runCommandLine } from '../run-program.js';
import { speak } from '../words/word.js';

const novel = join(process.cwd(), 'examples', 'novel');
const home = process.cwd();
let folder = '';

beforeEach(async () => {
  const own = await realpath(await mkdtemp(join(tmpdir(), 'galley-write-')));
  folder = join(own, '回声站');
  await cp(novel, folder, { recursive: true, filter: (path) => !path.includes('galley.db') });
  process.chdir(folder);
  vi.stubEnv('GALLEY_STORE', undefined);
  vi.stubEnv('GALLEY_DEBUG', undefined);
});

afterEach(async () => {
  await speak('en');
  process.chdir(home);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  onTalk = () => undefined;
  process.exitCode = undefined;
  await rm(join(folder, '..'), { recursive: true, force: true });
});

/** Hears what is said to stderr. */
let onTalk: (said: string) => void = () => undefined;

/** Runs `galley write …` here and gives what it printed. */
async function write(...words: string[]): Promise<{ out: string; talk: string }> {
  const printed = { out: '', talk: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.out += String(text);
    return true;
  });
  const talk = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.talk += String(text);
    onTalk(String(text));
    return true;
  });
  try {
    await programFor('write').parseAsync(['write', ...words], { from: 'user' });
  } finally {
    out.mockRestore();
    talk.mockRestore();
  }
  return printed;
}

/** What it printed, once it is as `galley schema` says. */
async function json<T>(...words: string[]): Promise<T> {
  const printed = JSON.parse((await write(...words, '--json')).out) as T;
  const line = `write ${words.join(' ')}`;
  const command = jsonCommands.filter((name) => `${line} `.startsWith(`${name} `)).at(-1) ?? '';
  expect((await jsonAnswer(command))?.safeParse(printed)).toEqual({ success: true, data: printed });
  return printed;
}

/** What a person reads when `galley write …` refuses. */
async function refusal(...words: string[]): Promise<string> {
  return refusalIn('en', words);
}

async function refusalIn(language: 'en' | 'zh', words: readonly string[]): Promise<string> {
  const args = ['write', ...words];
  const error: unknown = await runCommandLine(args, language).then(
    () => expect.unreachable('It was not refused.'),
    (reason: unknown) => reason,
  );
  let said = '';
  const talk = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  reportError(error, { json: false, command: commandIn(args) });
  talk.mockRestore();
  process.exitCode = undefined;
  return said;
}

/** Without the journal of the store, which goes when the process ends. */
const files = async () =>
  (await readdir(join(folder, '.galley'))).filter((name) => !/-(?:wal|shm)$/.test(name)).sort();

describe('galley write', () => {
  it('looks at a folder without leaving a file behind', async () => {
    const before = await files();
    const { out } = await write('status');
    expect(out).toContain('第六章 墙');
    expect(out).toContain('galley write init');
    await write('assemble', '6');
    await write('judge', 'chapters/03-the-box.md');
    expect(await files()).toEqual(before);
  });

  it('init says what it writes, and keeps what is there', async () => {
    await rm(join(folder, '.galley'), { recursive: true });
    const shown = await write('init', '--dry-run');
    expect(shown.out.match(/would write/g)).toHaveLength(4);
    await expect(files()).rejects.toMatchObject({ code: 'ENOENT' });
    const { out } = await write('init');
    expect(await files()).toEqual(['.gitignore', 'constraints.md', 'galley.db', 'project.json']);
    for (const name of await files()) expect(out).toContain(`.galley/${name}`);
    await writeFile(join(folder, '.galley', 'constraints.md'), '- 没有魔法\n');
    await write('init');
    expect(await readFile(join(folder, '.galley', 'constraints.md'), 'utf8')).toBe('- 没有魔法\n');
  });

  it('init says which file it cannot write', async () => {
    await rm(join(folder, '.galley'), { recursive: true });
    await writeFile(join(folder, '.galley'), 'a file where the folder should be');
    await expect(write('init')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('.galley/constraints.md cannot be written'),
    });
  });

  it('status counts chapters, length, rules, people and what the index knows', async () => {
    await write('init');
    const status = await json<{
      project: string;
      chapters: { index: string }[];
      behind: number;
      constraints: object;
      entities: number;
    }>('status');
    expect(status).toMatchObject({
      project: '回声站',
      behind: 0,
      constraints: { total: 5, pinned: 1 },
      entities: 4,
    });
    expect(status.chapters).toHaveLength(7);
    await writeFile(join(folder, 'chapters', '08-echo.md'), '# 第八章 回声\n\n我等着。\n');
    expect(await json('status')).toMatchObject({ behind: 1 });
    expect(await json('index')).toMatchObject({ chapters: 8, changed: ['chapters/08-echo.md'] });
    expect(await json('index')).toMatchObject({ changed: [], forgotten: [] });
  });

  const fileOf = (name: string) => readFile(join(folder, '.galley', name), 'utf8');

  it('adds, changes and removes rules by number or words, in the file, every other byte as it was [W6]', async () => {
    const before = await fileOf('constraints.md');
    await write('constraints', 'add', '不出现“手机”一词', '--kind', 'world');
    expect(await fileOf('constraints.md')).toBe(
      before.replace('基于科技\n', '基于科技\n- 不出现“手机”一词\n'),
    );
    const { out } = await write('constraints');
    expect(out).toMatch(/4 +world +不出现“手机”一词/);
    expect(out).not.toMatch(/[0-9a-f]{8}/);
    await write('constraints', 'edit', '4', '不出现手机和电脑', '--pin');
    expect(await fileOf('constraints.md')).toContain('- 【固定】不出现手机和电脑\n');
    await write('constraints', 'remove', '手机');
    expect(await fileOf('constraints.md')).toBe(before);
    await expect(write('constraints', 'remove', '没有的')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(write('constraints', 'remove', '不')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('keeps people on cards: added, changed, with facts and secrets, by name', async () => {
    await write('people', 'add', '月尘', '细得像面粉', '--alias', '尘', '--kind', '物');
    const card = 'characters/月尘.md';
    expect(await fileOf(card)).toBe('# 月尘\n\n类型：物\n别名：尘\n细得像面粉\n');
    expect((await write('entities')).out).toContain('月尘');
    await write('people', 'fact', '月尘', '会发光', '--from', '3', '--until', '5');
    await write('people', 'fact', '尘', '它是活的', '--secret', '--until', '6');
    await write('people', 'edit', '月尘', '细得像盐');
    expect(await fileOf(card)).toBe(
      '# 月尘\n\n类型：物\n别名：尘\n细得像盐\n\n- 第3章到第5章：会发光\n- 第6章前保密：它是活的\n',
    );
    await write('people', 'fact', '月尘', '发光', '--remove');
    expect(await fileOf(card)).not.toContain('发光');
    await write('people', 'remove', '月尘');
    expect((await write('people')).out).not.toContain('月尘');
    await expect(fileOf(card)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes nobody for somebody whose name is a part of theirs, and says who may be meant', async () => {
    await write('people', 'add', '贾宝玉', '通灵宝玉', '--alias', 'Pao-yu');
    for (const line of [
      ['remove', '贾'],
      ['edit', '宝玉', '别的'],
      ['fact', 'Pao', '病了'],
      ['show', '贾宝'],
    ])
      await expect(write('people', ...line)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining('did you mean 贾宝玉?'),
      });
    expect(await fileOf('characters/贾宝玉.md')).toBe('# 贾宝玉\n\n别名：Pao-yu\n通灵宝玉\n');
    await write('people', 'remove', 'ＰＡＯ-yu');
    await expect(fileOf('characters/贾宝玉.md')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('adds other names to those there are, and takes out the one that is said', async () => {
    await write('people', 'add', '林黛玉', '绛珠', '--alias', '颦儿', '林姑娘');
    await write('people', 'edit', '林黛玉', '--alias', '林妹妹', '颦儿');
    expect(await fileOf('characters/林黛玉.md')).toContain('别名：颦儿、林姑娘、林妹妹\n');
    await write('people', 'edit', '林黛玉', '--remove-alias', '颦儿');
    expect(await fileOf('characters/林黛玉.md')).toContain('别名：林姑娘、林妹妹\n');
    await expect(write('people', 'edit', '林黛玉', '--remove-alias', '颦儿')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('林姑娘, 林妹妹'),
    });
  });

  it('shows a card with facts and secrets by number, and takes one out by that number', async () => {
    await write('people', 'add', '月尘', '细得像面粉', '--alias', '尘');
    await write('people', 'fact', '月尘', '会发光', '--from', '第四十回', '--until', '41');
    await write('people', 'fact', '月尘', '它冷', '--from', '2');
    await write('people', 'fact', '月尘', '它是活的', '--secret', '--until', '6');
    const { out } = await write('people', 'show', '尘');
    expect(out).toMatch(/月尘.*尘[\s\S]*细得像面粉/);
    expect(out).toMatch(/1 +chapters 40 to 41 +会发光/);
    expect(out).toMatch(/2 +from chapter 2 +它冷/);
    expect(out).toMatch(/3 +secret before chapter 6 +它是活的/);
    expect(await json('people', 'show', '月尘')).toMatchObject({
      name: '月尘',
      secrets: [{ hiddenUntil: 6 }],
    });
    await write('people', 'fact', '月尘', '2', '--remove');
    expect(await json('people', 'show', '月尘')).toMatchObject({ facts: [{ text: '会发光' }] });
    for (const span of [
      ['--from', '9', '--until', '3'],
      ['--from', 'soon'],
      ['--until', '0'],
    ])
      await expect(write('people', 'fact', '月尘', '没了', ...span)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
  });

  it('puts a new card where the writer sees it, and reads no chapter there', async () => {
    await mkdir(join(folder, '设定', '人物'), { recursive: true });
    await writeFile(join(folder, '设定', '人物', '阿九.md'), '# 阿九\n\n船工。\n');
    const { chapters } = await json<{ chapters: object[] }>('status');
    expect(chapters).toHaveLength(7);
    expect((await write('people')).out).toContain('阿九');
    await write('people', 'add', '月尘', '细得像面粉');
    expect(await readFile(join(folder, '设定', '人物', '月尘.md'), 'utf8')).toContain('细得像面粉');
  });

  it('remembers by number or words, and what was learned waits until it is confirmed', async () => {
    await write('memory', 'add', '段落要短');
    await expect(write('memory', 'add', '段落要短')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await write('memory', 'edit', '1', '段落要短，句子也要短');
    expect(await fileOf('memory.md')).toBe(
      '# 记忆 · Memory\n\n## 偏好 · Preferences\n\n- 段落要短，句子也要短\n',
    );
    await writeFile(join(folder, '.galley', 'memory.md'), '- 【待确认】喜欢雨天\n', { flag: 'a' });
    expect((await write('memory')).out).toMatch(/2 +semantic +50 % +waits +喜欢雨天/);
    await write('memory', 'confirm', '雨天');
    expect((await write('memory')).out).toMatch(/2 +semantic +50 % +yes +喜欢雨天/);
    await write('memory', 'remove', '2');
    expect((await write('memory')).out).not.toContain('雨天');
  });

  it('says what adding did, and refuses naming the one that is there [W19]', async () => {
    expect((await write('people', 'add', '月尘', '细得像面粉')).out).toContain(
      'added 月尘 .galley/characters/月尘.md',
    );
    await expect(write('people', 'add', '月尘', '细得像盐')).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
      message: expect.stringContaining('.galley/characters/月尘.md'),
    });
    await writeFile(join(folder, '.galley', 'characters', 'echo.md'), '# 回声\n\n一个声音。\n');
    await expect(write('people', 'add', '回声', '别的')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await write('constraints', 'add', '没有手机', '--kind', 'world');
    await expect(write('constraints', 'add', '没有手机', '--kind', 'world')).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
  });

  it('prints with --json what its schema says, in every language the same', async () => {
    const shown = await json('init', '--dry-run');
    await speak('zh');
    expect(await json('init', '--dry-run')).toEqual(shown);
    await speak('en');
    await json('init');
    for (const list of ['constraints', 'people', 'memory', 'skills']) await json(list);
    await json('assemble', '6');
    await json('inspect', '6');
    await json('judge', 'chapters/03-the-box.md');
    await json('skills', 'lint', '.galley/skills/log-entry/SKILL.md');
    await json('skills', 'show', 'polish', '3');
    const { id } = await json<{ id: string }>('people', 'add', '月尘', '细得像面粉');
    await json('people', 'remove', id);
  });

  it('counts what a model would sum up without one, and says when a summary is stale', async () => {
    vi.stubEnv('GALLEY_MODEL', undefined);
    const { talk } = await write('summarise', '--dry-run');
    expect(talk).toMatch(
      /^7 calls, and up to 1 more for parts and the book, about [\d,]+ tokens to read; no model/m,
    );
    expect((await write('summarise', '6', '--dry-run')).talk).toMatch(/^1 call, about/m);
    await expect(write('summarise', '--by-hand')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await mkdir(join(folder, '.galley', 'summaries', 'chapters'), { recursive: true });
    const summary = join(folder, '.galley', 'summaries', 'chapters', '06-the-wall.md');
    await writeFile(summary, `---\nhash: ${'0'.repeat(64)}\n---\n\n墙后有人。\n`);
    const stale = await write('summaries', '6');
    expect(stale.out).toBe('墙后有人。\n');
    expect(stale.talk).toContain('It is stale');
    await write('summaries', 'keep', '6');
    expect((await write('summaries', '6')).talk).not.toContain('stale');
    await writeFile(join(folder, '.galley', 'summaries', '_book.md'), '一个人和一个声音。\n');
    expect((await write('summaries', 'book')).out).toBe('一个人和一个声音。\n');
  });

  it.each([
    ['run polsh 3 --dry-run', 'No skill is called polsh; did you mean polish? galley write skills'],
    ['draft apply 9', 'No such draft; galley write drafts names'],
    ['restore 3 9', 'No such version; galley write history lists'],
    ['scene 3 --remove', 'This chapter has no scene card.'],
    ['summaries keep 3', 'There is no summary of this chapter yet; galley write summarise'],
    ['people list', "Unknown command 'galley write people list'; there is add,"],
    ['people list', 'next: galley write people --help'],
    ['people add X', 'next: galley write people add --help'],
    ['summaries remove 7', "Unknown command 'galley write summaries remove'; there is keep."],
  ])('refuses "%s" in words of the command line', async (line, said) => {
    expect(await refusal(...line.split(' '))).toContain(said);
  });

  it('names eight chapters where none fits, and how many more there are', async () => {
    for (const number of [8, 9, 10])
      await writeFile(join(folder, 'chapters', `${number}.md`), `# 第${number}章\n\n我等着。\n`);
    expect(await refusal('scene', '99')).toMatch(/ … and 2 more\./);
  });

  it.each([
    'undo',
    'draft apply 1',
    'draft discard 1',
    'constraints remove 1',
    'memory confirm 1',
    'people remove 林远',
    'people fact 林远 病了',
    'restore 1 1',
    'summaries keep 1',
    'intended remove 1',
    'promises paid 1',
    'snapshot 1',
    'scene 1 --pov 林远',
    'summarise 1',
    'run continue 1 --model anthropic/claude-sonnet-4-5',
    'promises propose 1 --model anthropic/claude-sonnet-4-5',
  ])('%s in a wrong folder leaves nothing behind', async (line) => {
    const wrong = join(folder, '..', 'wrong');
    await mkdir(wrong);
    process.chdir(wrong);
    await expect(write(...line.split(' '))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readdir(wrong)).toEqual([]);
  });

  it('knows a way in for an empty folder and for a file that is not UTF-8', async () => {
    await writeFile(join(folder, 'chapters', '08.md'), Buffer.from([0xc4, 0xe3, 0xba, 0xc3]));
    expect((await write()).talk).toContain('galley write import chapters/08.md');
    const empty = join(folder, '..', 'empty');
    await mkdir(empty);
    process.chdir(empty);
    expect((await write()).out).toContain('galley write import <file>');
  });

  it('counts the chapters that hold what was searched for', async () => {
    expect((await write('search', '林远', '--most', '1')).out).toContain('4 places in 4 chapters.');
    expect((await write('search', '林远', '--in', '1')).out).toContain('1 place in 1 chapter.');
  });

  it('refuses writers in Chinese where they are refused most', async () => {
    await write('init');
    await write('constraints', 'add', '没有魔法', '--kind', 'world');
    await write('constraints', 'add', '没有魔法师', '--kind', 'world');
    await write('snapshot', '1');
    await speak('zh');
    const lines: readonly (readonly [words: readonly string[], first: string])[] = [
      [['scene', '99'], '没有这一章；现有 '],
      [['scene', 'chapters'], '有几章都符合，请说明是哪一章：'],
      [['run', 'polis', '1'], '没有叫“polis”的技能；是不是“polish”？galley write skills 可列出全部。'],
      [['run', 'zzzzzzzz', '1'], '没有叫“zzzzzzzz”的技能；'],
      [['constraints', 'remove', '不存在'], '没有符合的；galley write constraints 可列出现有的。'],
      [['constraints', 'remove', '魔法'], '有几条都符合，请用编号指明：'],
      [['people', 'show', '不存在的人'], '没有叫这个名字的人或物；'],
      [['undo'], '没有可以撤销的改动。'],
      [['draft', 'show', '9'], '没有这份草稿；galley write draft'],
      [['run', 'polish', '1', '--from', '这里没有'], '--from：这一章里没有这些字。'],
      [['run', 'polish', '1', '--from', '。'], '--from：这些字出现了 '],
      [['run', 'polish', '1'], '还没有设定模型；'],
      [['constraints', 'add', '没有魔法', '--kind', 'world'], '已经有这一条了；'],
    ];
    for (const [words, first] of lines) {
      const said = await refusalIn('zh', words);
      expect(said.startsWith(`galley: ${first}`), said).toBe(true);
    }
    const empty = join(folder, '..', 'empty');
    await mkdir(empty);
    process.chdir(empty);
    expect(await refusalIn('zh', ['snapshot', '1'])).toContain('没有这一章；这里没有 Markdown 或文本文件。');
  });

  it('speaks of the file where an export cannot be written', async () => {
    const said = await refusal('export', '../nowhere/x.md');
    expect(said).toContain('x.md cannot be written; check the folder and its rights. (FILE_UNREADABLE)');
    expect(said).toContain('next: check that the file and its folder are there');
  });

  it('assembles a chapter by number, name or path: the prompt on stdout, talk on stderr', async () => {
    const byNumber = await write('assemble', '6', '--explain');
    expect(byNumber.out).toContain('[创作约束 - 不可违反]\n1. 严格第一人称叙述');
    expect(byNumber.out).not.toContain('concessions');
    expect(byNumber.talk).toMatch(/tokens used/);
    expect(byNumber.talk).toContain('concessions');
    expect((await write('assemble', 'The-Wall')).out).toBe(byNumber.out);
    expect((await write('assemble', 'chapters/06-the-wall.md', '--cursor', 'end')).out).toBe(byNumber.out);
    expect((await write('assemble', '6', '--cursor', '40')).out).not.toBe(byNumber.out);
    await expect(write('assemble', 'nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(write('assemble', '6', '--cursor', 'middle')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('inspects with debug mode set for the one command, and says so', async () => {
    const { out, talk } = await write('inspect', '6');
    expect(talk).toContain('Debug mode is on for this command only');
    expect(out).toMatch(/rules {2}\d+ tokens/);
    expect(out).toMatch(/ in +your rules /);
    expect(out).toMatch(/ left out +earlier passages /);
    expect(out.match(/ left out +earlier passages /g)).toHaveLength(5);
    expect(out).toMatch(/\.\.\. and \d+ more left out/);
    const { out: set } = await write('assemble', '6');
    const numbered = (text: string) => text.match(/\b[1-5]\. \S{4}/gu)?.slice(0, 5);
    expect(numbered(out)).toEqual(numbered(set));
    expect(set).toBe((await write('skills', 'show', 'continue', '6')).out);
    expect(process.env.GALLEY_DEBUG).toBeUndefined();
  });

  it('judges a file with the words as evidence and an exit code on request', async () => {
    await writeFile(join(folder, '..', 'draft.txt'), '第二章\n\n林远推开门，林远走进去！\n');
    const { out } = await write('judge', '../draft.txt');
    expect(out).toContain('避免使用感叹号和省略号');
    expect(out).toContain('line 3');
    expect(process.exitCode).toBeUndefined();
    await write('judge', '../draft.txt', '--fail-on-findings');
    expect(process.exitCode).toBe(1);
  });

  it('lists, checks and shows skills, its own among them', async () => {
    const { out } = await write('skills');
    for (const id of ['polish', 'condense', 'expand', 'dialogue', 'consistency', 'continue', 'log-entry'])
      expect(out).toContain(id);
    expect((await write('skills', 'lint', '.galley/skills/log-entry/SKILL.md')).out).toContain(
      'fine log-entry',
    );
    const shown = await write('skills', 'show', 'log-entry', '3', '--select', '20:60');
    expect(shown.out).toContain('[当前任务 - 值班日志]');
    expect(shown.talk).toMatch(/\d saved of/);
    await expect(write('skills', 'show', 'polish', '3', '--select', 'all')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('keeps its rules and memory when the folder is renamed, and the project it was given', async () => {
    await write('init', '--project', '长篇');
    await write('memory', 'add', '段落要短');
    expect(await json('status')).toMatchObject({ project: '长篇', memory: { total: 1 } });
    const moved = join(folder, '..', '改名');
    await rename(folder, moved);
    process.chdir(moved);
    expect(await json('status')).toMatchObject({ project: '长篇', memory: { total: 1 } });
    expect(await json('index')).toMatchObject({ chapters: 7 });
    expect(await json('status')).toMatchObject({ project: '长篇', behind: 0 });
  });

  it('calls chapters by the number in their title, in the list as on the command line', async () => {
    await rm(join(folder, 'chapters', '02-fourth-crater.md'));
    expect((await write('status')).out).toMatch(/^ *6 {2}第六章 墙/m);
    const six = await write('assemble', '6');
    expect((await write('assemble', '第六章')).out).toBe(six.out);
    expect((await write('assemble', '第六回')).out).toBe(six.out);
  });

  it('says what was left out also when the prompt stays like the one before, in words of the language', async () => {
    await write('init');
    const engine = createEngine({ folder });
    const budget = (await engine.call('context:budget:get', { projectId: '回声站' })) as object;
    const small = { ...budget, projectId: '回声站', window: 3_500, outputReserve: 300 };
    await engine.call('context:budget:update', small);
    await engine.close();
    const first = await write('assemble', '6', '--explain');
    expect(first.talk).toMatch(/left out/);
    const second = await write('assemble', '6', '--explain');
    expect(second.talk).toMatch(/left out/);
    expect(second.talk).not.toMatch(/\p{sc=Han}+裁剪|LAYER_TRIMMED.*LAYER_TRIMMED/u);
  });

  it('uses the store and project that are named', async () => {
    const store = join(folder, '..', 'elsewhere.db');
    // The folder is the first project's; another one of the same store keeps to the store.
    await write('index', '--store', store);
    await write('memory', 'add', '只在那里', '--store', store, '--project', 'other');
    expect((await write('memory', '--store', store, '--project', 'other')).out).toContain('只在那里');
    expect((await write('memory', '--store', store)).out).not.toContain('只在那里');
    expect(await files()).not.toContain('galley.db');
  });

  it('has a model write: the text on stdout, a draft that waits, the chapter when it is applied', async () => {
    const { command } = installFakeAgent(join(folder, '..'), 'claude', 'answer');
    vi.stubEnv('GALLEY_CLAUDE', command);
    const chapter = join(folder, 'chapters', '02-fourth-crater.md');
    const before = await readFile(chapter, 'utf8');
    const polish = ['run', 'polish', '2', '--paragraph', '2', '--model', 'cli/claude'];
    const { out, talk } = await write(...polish);
    expect(out).toBe('Hello wörld 你好 😀\n');
    expect(talk).toMatch(
      /^The model gets [\d,]+ tokens: \d+ passages?, \d+ (?:person or thing|people and things) · price not known\n/,
    );
    expect(talk).toMatch(/\nKept back: \d+ secrets?, \d+ later chapters\n/);
    expect(talk).toMatch(/tokens sent to /);
    expect(talk).toContain('Kept as the draft 02-fourth-crater-polish-1');
    expect(talk).toContain('galley write draft apply 1');
    expect(await readFile(chapter, 'utf8')).toBe(before);
    const run = await json<{ runId: string; text: string; draft: string }>(...polish);
    expect(run).toMatchObject({ text: 'Hello wörld 你好 😀', draft: '02-fourth-crater-polish-2' });
    expect((await write('drafts')).out).toMatch(/1 +第二章.* polish +\d{4}-\d\d-\d\d \d\d:\d\d +4 +open/);
    const shown = (await write('draft', 'show', '1')).out;
    expect(shown).toMatch(/^1 {2}paragraph 2, line 3\n- .+\n\+ Hello wörld/);
    expect((await write('draft', 'apply', '1')).talk).toContain(
      '1 change made in chapters/02-fourth-crater.md',
    );
    expect(await readFile(chapter, 'utf8')).toContain('\n\nHello wörld 你好 😀\n\n');
    const { out: prompt } = await write('skills', 'show', 'continue', '2');
    expect(prompt).toContain('Hello wörld');
    expect((await write('history', '2')).out).toMatch(
      /2 .*with the draft 02-fourth-crater-polish-1 · as it is now/,
    );
    await write('undo');
    expect(await readFile(chapter, 'utf8')).toBe(before);
    await write('snapshot', '2', '--name', '初稿');
    await write(...polish, '--apply');
    await write('restore', '2', '初稿');
    expect(await readFile(chapter, 'utf8')).toBe(before);
    await write('draft', 'discard', '2');
    expect((await write('drafts', '--all')).out).toMatch(/discarded/);
    for (const list of [['drafts'], ['draft', 'show', '1'], ['history', '2']]) await json(...list);
    await expect(write(...polish.slice(0, 3), '--from', '不在书中的话')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('--from'),
    });
  });

  it('asks at a terminal what becomes of the text: another, edit, apply', async () => {
    const { command } = installFakeAgent(join(folder, '..'), 'claude', 'answer');
    vi.stubEnv('GALLEY_CLAUDE', command);
    const editor = join(folder, '..', 'editor.mjs');
    await writeFile(
      editor,
      "import fs from 'node:fs';\nconst file = process.argv[2];\nfs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Hello', 'Goodbye'));\n",
    );
    vi.stubEnv('VISUAL', `"${process.execPath}" "${editor}"`);
    const answers = ['what', 'n', 'e', 'a'];
    const typed = Object.assign(new PassThrough(), { isTTY: true });
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(typed as never);
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    onTalk = (said) => {
      if (said.includes('[a]pply')) setImmediate(() => typed.write(`${answers.shift() ?? ''}\n`));
    };
    await write('run', 'polish', '2', '--paragraph', '2', '--model', 'cli/claude');
    process.stderr.isTTY = isTTY;
    expect(answers).toEqual([]);
    expect(await readFile(join(folder, 'chapters', '02-fourth-crater.md'), 'utf8')).toContain(
      'Goodbye wörld',
    );
    const { drafts } = await json<{ drafts: { state: string }[] }>('drafts', '--all');
    expect(drafts.map(({ state }) => state)).toEqual(['discarded', 'applied']);
  });

  it('shows what it would send, and says how to name a model when none is', async () => {
    vi.stubEnv('GALLEY_MODEL', undefined);
    expect((await write('run', 'polish', '2', '--dry-run')).out).toContain('── user');
    await expect(write('run', 'polish', '2')).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
  });

  it('sets the prompt in the language of the chapter, or in the one that is named [assemble.api]', async () => {
    const prompts = (words: string[]) => [
      ['assemble', ...words],
      ['inspect', ...words, '--text'],
      ['skills', 'show', 'polish', ...words],
      ['run', 'continue', ...words, '--dry-run'],
    ];
    for (const words of prompts(['6']))
      expect((await write(...words)).out).toContain('[创作约束 - 不可违反]');
    for (const words of prompts(['6', '--language', 'en']))
      expect((await write(...words)).out).toContain('[Constraints - never to be broken]');
    await rm(join(folder, '.galley'), { recursive: true });
    await rm(join(folder, 'chapters'), { recursive: true });
    await writeFile(join(folder, '1-ferry.md'), '# Chapter 1\n\nMara found the key. The river was cold.\n');
    await writeFile(join(folder, '2-bank.md'), '# Chapter 2\n\nTom asked about the key by the river.\n');
    await write('init');
    await write('constraints', 'add', 'No exclamation marks.', '--pin');
    await write('entities', 'add', 'Mara', 'Keeper of the ferry', '--alias', 'Mar', '--inclusion', 'always');
    for (const words of prompts(['1'])) {
      const { out } = await write(...words);
      expect(out).toContain('[Constraints - never to be broken]');
      expect(out).not.toMatch(/\p{sc=Han}/u);
    }
    for (const words of prompts(['1', '--language', 'zh']))
      expect((await write(...words)).out).toContain('[创作约束 - 不可违反]');
    await writeFile(join(folder, '3-empty.md'), '');
    expect((await write('assemble', '3-empty.md')).out).toContain('[Constraints');
  });
});
