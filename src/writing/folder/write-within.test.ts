import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeFile } from './write-within.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-write-within-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = (path: string) => join(folder, path);

describe('a file of a folder', () => {
  it('is made with its folders, changed with its mark, breaks and rights, and taken away', async () => {
    expect(await changeFile(folder, 'a/b/c.md', (text) => text ?? '一\n')).toBe(true);
    expect(await readFile(place('a/b/c.md'), 'utf8')).toBe('一\n');
    await writeFile(place('d.md'), '\uFEFF一\r\n');
    await chmod(place('d.md'), 0o640);
    await changeFile(folder, 'd.md', (text) => `${text}二\r\n`);
    expect(await readFile(place('d.md'))).toEqual(Buffer.from('\uFEFF一\r\n二\r\n'));
    expect((await stat(place('d.md'))).mode & 0o777).toBe(0o640);
    expect(await changeFile(folder, 'd.md', (text) => text)).toBe(false);
    await changeFile(folder, 'd.md', () => undefined);
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('that somebody else changes meanwhile is read again, and never overwritten', async () => {
    const other = await import('node:fs');
    let edits = 0;
    await changeFile(folder, 'list.md', (text = '') => {
      edits += 1;
      if (edits === 1) other.writeFileSync(place('list.md'), '别人的\n');
      return `${text}我的\n`;
    });
    expect(await readFile(place('list.md'), 'utf8')).toBe('别人的\n我的\n');
    const always = changeFile(folder, 'list.md', (text = '') => {
      edits += 1;
      other.writeFileSync(place('list.md'), `第${edits}次\n`);
      return `${text}我的\n`;
    });
    await expect(always).rejects.toMatchObject({ code: 'STORE_BUSY', details: { path: 'list.md' } });
    expect(await readFile(place('list.md'), 'utf8')).toBe(`第${edits}次\n`);
    expect(await readdir(folder)).toEqual(['list.md']);
  });

  it('outside of the folder is not touched, by whatever link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'galley-outside-'));
    await symlink(outside, place('out'));
    await symlink(join(outside, 'missing.md'), place('dangling.md'));
    for (const path of ['out/a.md', 'dangling.md', '../a.md', '/a.md'])
      await expect(changeFile(folder, path, () => 'x')).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:INVALID_ARGUMENT|FILE_UNREADABLE)$/),
      });
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });
});
