// A chapter written back by an editor: over what was read and nothing else, every byte it did not touch as it was.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { folderHome } from './folder-home.js';
import { chapterHistory } from './history.js';
import { readChapter, writeChapter } from './write-chapter.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-write-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const home = folderHome(folder);
const file = (name: string) => join(folder, name);
const minute = 60_000;

describe('a chapter written back', () => {
  it('keeps byte order mark, line breaks and front matter that were not touched', async () => {
    writeFileSync(file('a.md'), '\ufeff---\r\npov: Ada\r\n---\r\nOne.\r\nTwo.\nThree.\r\n');
    const { text, hash } = await readChapter(home, 'a.md');
    expect(text).toBe('---\npov: Ada\n---\nOne.\nTwo.\nThree.\n');
    const next = text.replace('One.', 'One and a half.\nMore.');
    await writeChapter(home, 'a.md', { text: next, was: hash, keep: false, at: 1 });
    expect(readFileSync(file('a.md'), 'utf8')).toBe(
      '\ufeff---\r\npov: Ada\r\n---\r\nOne and a half.\r\nMore.\r\nTwo.\nThree.\r\n',
    );
  });

  it('is what the editor has, whatever was typed', async () => {
    const prose = fc.array(fc.constantFrom('林远', '。', 'He ran.', ' ', '\n', '\n\n', '# A', '😀', '—'), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(prose, prose, async (before, after) => {
        writeFileSync(file('b.md'), before.join(''));
        const { hash } = await readChapter(home, 'b.md');
        await writeChapter(home, 'b.md', { text: after.join(''), was: hash, keep: false, at: 1 });
        expect(readFileSync(file('b.md'), 'utf8')).toBe(after.join(''));
      }),
      { numRuns: 50 },
    );
  });

  it('is refused where the file is another one by now, gone, or there already', async () => {
    writeFileSync(file('c.md'), 'One.');
    const { hash } = await readChapter(home, 'c.md');
    writeFileSync(file('c.md'), 'Two.');
    const write = (was?: string) => writeChapter(home, 'c.md', { text: 'Mine.', was, keep: false, at: 1 });
    await expect(write(hash)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    await expect(write()).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(readFileSync(file('c.md'), 'utf8')).toBe('Two.');
    rmSync(file('c.md'));
    await expect(write(hash)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await write();
    expect(readFileSync(file('c.md'), 'utf8')).toBe('Mine.');
  });

  it('keeps a state every ten minutes, and at once where it is asked to', async () => {
    writeFileSync(file('d.md'), 'One.');
    const type = async (text: string, at: number, keep = false) => {
      const { hash } = await readChapter(home, 'd.md');
      await writeChapter(home, 'd.md', { text, was: hash, keep, at });
    };
    await type('Two.', 0);
    await type('Three.', minute);
    await type('Four.', 11 * minute);
    await type('Five.', 12 * minute, true);
    const { versions } = await chapterHistory(home, 'd.md');
    const texts = await Promise.all(
      versions.map(async ({ hash }) => String(Buffer.from(await home.kept(hash)))),
    );
    expect(texts).toEqual(['One.', 'Three.', 'Four.']);
    expect(readdirSync(folder).filter((name) => name.includes('galley-new'))).toEqual([]);
  });
});
