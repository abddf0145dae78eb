import {
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
import { walkXml } from '../../src/writing/exchange/import/read-xml.js';
import { readZip } from '../../src/writing/exchange/import/read-zip.js';
import { runPacked } from './packed-program.js';

let place = '';
let novel = '';

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'galley-books-')));
  novel = join(place, 'novel');
  mkdirSync(novel);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const write = (...args: string[]) => runPacked(['write', ...args], { cwd: novel });

const text = [1, 2, 3]
  .map(
    (number) => `第${number}章 雨夜\n\n　　林远推开门。“谁？”她问。\n\n　　没有人回答 <b>什么</b> & 什么。\n`,
  )
  .join('\n');

describe('a book at the command line', () => {
  it('is shown first, written when told to, found in, and given out in every format', async () => {
    writeFileSync(join(place, 'book.txt'), text);
    const shown = await write('import', '../book.txt');
    expect(shown.stdout).toMatch(/text \(UTF-8\), 3 chapters.*\n {2}would write {2}001 第1章 雨夜\.txt/);
    expect(shown.stderr).toBe('Nothing was written; add --yes to write.\n');
    expect(readdirSync(novel)).toEqual([]);

    const written = await write('import', '../book.txt', '--yes');
    expect(written).toMatchObject({ exit: 0, stderr: '' });
    const chapters = readdirSync(novel).filter((name) => name.endsWith('.txt'));
    expect(chapters.map((name) => readFileSync(join(novel, name), 'utf8')).join('')).toBe(text);

    const found = await write('search', '林远', '--most', '2');
    expect(found.stdout).toBe(
      '\n第1章 雨夜\n  ¶ 2, line 3       林远推开门。\n\n第2章 雨夜\n  ¶ 2, line 3       林远推开门。\n\n3 places in 3 chapters.\nShown: 2. More in: 第3章 雨夜 (1)\n',
    );
    expect((await write('search', '雪')).stdout).toBe('Nowhere in 3 chapters.\n');

    for (const format of ['md', 'txt', 'docx', 'epub']) {
      const out = await write('export', `../out.${format}`, '--title', '雨夜', '--author', 'A & B');
      expect(out).toMatchObject({ exit: 0, stderr: '' });
      const again = join(place, `again-${format}`);
      mkdirSync(again);
      const back = await runPacked(['write', 'import', `../out.${format}`, '--yes', '--json'], {
        cwd: again,
      });
      expect(JSON.parse(back.stdout)).toMatchObject({ written: true, chapters: [{}, {}, {}], warnings: [] });
      const one = await runPacked(['write', 'search', '没有人回答', '--json'], { cwd: again });
      expect(JSON.parse(one.stdout)).toMatchObject({ total: 3 });
    }
    expect((await write('export', '../out.epub')).exit).toBe(2);
    expect((await write('export', '../out.epub', '--force')).exit).toBe(0);
    expect((await write('export', 'inside.md')).stderr).toMatch(/would become a chapter/);
  });

  it('says in one line why a file cannot be read, and writes nothing', async () => {
    writeFileSync(join(place, 'bad.txt'), Buffer.from([0xff, 0x80, 0x00, 0x81, 0xfe]));
    const { exit, stderr } = await write('import', '../bad.txt', '--yes');
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^galley: bad\.txt cannot be read: it is not text in/);
    expect(readdirSync(novel).filter((name) => name !== '.galley')).toEqual([]);
  });
});

describe('an EPUB from the receiving side', () => {
  it('has its type first and bare, well-formed pages, and a manifest of exactly what is there', async () => {
    writeFileSync(join(place, 'book.txt'), text);
    await write('import', '../book.txt', '--yes');
    await write('export', '../out.epub', '--title', '雨 & 夜', '--author', 'A');
    const bytes = readFileSync(join(place, 'out.epub'));
    expect(bytes.subarray(30, 58).toString('latin1')).toBe('mimetypeapplication/epub+zip');
    const { files } = readZip(bytes, 'out.epub');
    const seen: { file: string; tag: string; attribute(name: string): string | undefined }[] = [];
    let words = '';
    for (const file of files.filter(({ path }) => /\.(?:xml|opf|xhtml|ncx)$/.test(path)))
      walkXml(file.read(), file.path, {
        open: (element) => seen.push({ file: file.path, tag: element.name, attribute: element.attribute }),
        close: () => undefined,
        text: (said) => {
          words += said;
        },
      });
    const all = (file: string, tag: string) => seen.filter((each) => each.file === file && each.tag === tag);
    const items = all('EPUB/package.opf', 'item');
    const known = new Map(items.map((item) => [item.attribute('id'), item.attribute('href')]));
    expect([...known.values()].map((href) => `EPUB/${href}`).sort()).toEqual(
      files
        .map(({ path }) => path)
        .filter((path) => path.startsWith('EPUB/') && path !== 'EPUB/package.opf')
        .sort(),
    );
    expect(items.filter((item) => item.attribute('properties') === 'nav')).toHaveLength(1);
    const spine = all('EPUB/package.opf', 'itemref').map((item) => known.get(item.attribute('idref')));
    expect(spine).toEqual(['title.xhtml', 'chapter-0001.xhtml', 'chapter-0002.xhtml', 'chapter-0003.xhtml']);
    expect(all('EPUB/nav.xhtml', 'a').map((link) => link.attribute('href'))).toEqual(spine);
    expect(all('EPUB/toc.ncx', 'content').map((point) => point.attribute('src'))).toEqual(spine);
    expect(all('EPUB/chapter-0001.xhtml', 'html')[0]?.attribute('lang')).toBe('zh-Hans');
    expect(words).toContain('没有人回答 <b>什么</b> & 什么。');
    expect(words).toMatch(/urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/);
  });
});
