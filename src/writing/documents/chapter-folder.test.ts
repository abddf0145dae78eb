import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readChapterFolder } from './chapter-folder.js';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'galley-chapters-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('readChapterFolder', () => {
  it('reads chapters in order, leaves out what is none, and names what is broken', async () => {
    await mkdir(join(root, '第一卷'));
    await mkdir(join(root, '.galley'));
    await writeFile(join(root, '第一卷/第十章.md'), '\ufeff# 第十章\r\n后。');
    await writeFile(join(root, '第一卷/第二章.md'), '前。');
    await writeFile(join(root, '第一卷/坏.txt'), Buffer.from([0xff, 0xfe, 0x00]));
    await writeFile(join(root, 'cover.png'), 'x');
    await writeFile(join(root, '.galley/notes.md'), 'x');
    await symlink('/etc/hostname', join(root, 'link.md'));
    const { chapters, unreadable } = await readChapterFolder(root);
    expect(chapters.map(({ path, order, text }) => [path, order, text])).toEqual([
      ['第一卷/第二章.md', 1, '前。'],
      ['第一卷/第十章.md', 2, '# 第十章\n后。'],
    ]);
    expect(unreadable.map((error) => error.toJSON())).toEqual([
      expect.objectContaining({ code: 'FILE_UNREADABLE', details: { path: '第一卷/坏.txt' } }),
    ]);
  });

  it('is empty for an empty folder and refuses a missing one without naming where it would be', async () => {
    expect(await readChapterFolder(root)).toEqual({ chapters: [], unreadable: [] });
    const failure = await readChapterFolder(join(root, 'missing')).catch((error: unknown) => error);
    expect(failure).toEqual(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(JSON.stringify(failure)).not.toContain(root);
  });
});
