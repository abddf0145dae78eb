// The studio in a real browser: what is typed is in the file, whatever happens to the file, the server or the page meanwhile.
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeFindings,
  type BrowserContext,
  browserProgram,
  type OpenProject,
  openProject,
  type Page,
  removeHome,
  sharedBrowser,
  untilTrue,
  watchPage,
} from './open-page.js';
import { makeBook, openChapter, saveState, toTheEnd, untilSaved } from './studio-page.js';

const first = '\ufeff---\r\npov: 林远\r\n---\r\n# 第一章 雨夜\r\n\r\n林远走进院子。雨停了。\r\n';
const files = {
  '01.md': first,
  '02.md': '# 第二章 回声\n\n他没有说话。\n',
  '03.md': '# Three\n\nAda opened the old door.\n',
  '04.md': 'Named.',
  '05.md': 'Start.',
  '设定/林远.md': '# 林远\n\n守塔人。\n',
};

describe.skipIf(browserProgram === undefined)('the studio', () => {
  let folder: string;
  let opened: OpenProject;
  let context: BrowserContext;
  let page: Page;
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const write = (name: string, words: string) => writeFileSync(join(folder, name), words);

  beforeAll(async () => {
    folder = makeBook(files);
    opened = await openProject(folder);
    context = await (await sharedBrowser()).newContext();
    page = await context.newPage();
    await page.goto(opened.link);
    await page.getByRole('link', { name: '第一章 雨夜' }).waitFor();
  });
  afterAll(async () => {
    await context.close();
    await opened.end();
    removeHome(opened);
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes what is typed to the file, and no other byte of it', async () => {
    await openChapter(page, opened.address, '01.md');
    await toTheEnd(page);
    await page.keyboard.type('夜深了。Ada & <b>Bob</b> "go".');
    await page.keyboard.press('Enter');
    await page.keyboard.type('😀');
    await untilSaved(page);
    expect(text('01.md')).toBe(`${first}夜深了。Ada & <b>Bob</b> "go".\r\n😀`);
    expect(await page.locator('.ms-name').first().textContent()).toBe('林远');
  });

  it('shows a file that was changed on disk while nothing waits here', async () => {
    await openChapter(page, opened.address, '02.md');
    write('02.md', '# 第二章 回声\n\n他没有说话。她笑了。\n');
    await page.getByText('她笑了').waitFor();
    expect(await saveState(page)).toBe('saved');
  });

  it('overwrites nothing that was changed on disk: mine, theirs, or both', async () => {
    await openChapter(page, opened.address, '03.md');
    const clash = async (theirs: string, mine: string) => {
      await toTheEnd(page);
      const going = page.keyboard.type(mine);
      write('03.md', theirs);
      await going;
      await page.locator('.save[data-state=changed]').waitFor();
      expect(text('03.md')).toBe(theirs);
    };
    await clash('# Three\n\nTheirs.\n', 'Mine one.');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await untilSaved(page);
    expect(await page.locator('.manuscript .cm-content').textContent()).toContain('Theirs.');

    await clash('# Three\n\nTheirs again.\n', 'Mine two.');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await untilSaved(page);
    expect(text('03.md')).toBe('# Three\n\nTheirs.\nMine two.');

    await clash('# Three\n\nTheirs third.\n', 'Mine three.');
    await page.getByRole('button', { name: 'Merge' }).click();
    const mine = page.getByRole('textbox', { name: 'My text, can be edited' });
    await mine.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Theirs third.');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save the merged text' }).click();
    await untilSaved(page);
    expect(text('03.md')).toBe('# Three\n\nTheirs.\nMine two.Mine three. Theirs third.');
  });

  it('lets two tabs write one chapter without losing a word', async () => {
    const before = text('02.md');
    const other = await context.newPage();
    await openChapter(page, opened.address, '02.md');
    await openChapter(other, opened.address, '02.md');
    await toTheEnd(page);
    await page.keyboard.type('From one.');
    await untilSaved(page);
    await other.getByText('From one.').waitFor();
    await toTheEnd(other);
    await other.keyboard.type(' From two.');
    await untilSaved(other);
    await page.getByText('From two.').waitFor();
    expect(text('02.md')).toBe(`${before}From one. From two.`);
    await other.close();
  });

  it('keeps the text of a chapter that was deleted, and writes it again when asked to', async () => {
    await openChapter(page, opened.address, '02.md');
    const before = text('02.md');
    rmSync(join(folder, '02.md'));
    await page.locator('.save[data-state=gone]').waitFor();
    expect(existsSync(join(folder, '02.md'))).toBe(false);
    await page.getByRole('button', { name: 'Write the file again' }).click();
    await untilSaved(page);
    expect(text('02.md')).toBe(before);
  });

  it('shows a file again that was away and came back', async () => {
    await openChapter(page, opened.address, '02.md');
    const before = text('02.md');
    rmSync(join(folder, '02.md'));
    await page.locator('.save[data-state=gone]').waitFor();
    write('02.md', `${before}Back.`);
    await page.locator('.manuscript').getByText('Back.').waitFor();
    await untilSaved(page);
  });

  it('knows a chapter that was renamed while somebody wrote in it, and goes on there', async () => {
    await openChapter(page, opened.address, '04.md');
    renameSync(join(folder, '04.md'), join(folder, '04-named.md'));
    await toTheEnd(page);
    await page.keyboard.type(' Typed since.');
    await page.getByText('It seems to be called 04-named.md now.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on there' }).click();
    await page.waitForURL(/04-named/);
    await untilSaved(page);
    expect(text('04-named.md')).toBe('Named. Typed since.');
    expect(existsSync(join(folder, '04.md'))).toBe(false);
  });

  it('keeps on trying where the server is slow, fails or forgets to answer, and takes its own text for nobody else’s', async () => {
    await openChapter(page, opened.address, '04-named.md');
    const answers = ['lost', 'failed', 'slow'];
    const untilKept = (words: string) =>
      untilTrue(
        page,
        `(async () => {
          const done = (request) => new Promise((resolve) => {
            request.onsuccess = () => resolve(request.result);
          });
          const records = (await done(indexedDB.open('galley.writing'))).transaction('records').objectStore('records');
          return (await done(records.getAll())).some(({ kept }) => kept?.text.endsWith(${JSON.stringify(words)}));
        })()`,
      );
    await page.route('**/v1/documents/write', async (route) => {
      const next = answers.shift();
      if (next === 'failed')
        return route.fulfill({ status: 500, json: { error: { code: 'INTERNAL', message: 'Broken.' } } });
      if (next === 'off') return route.abort('connectionrefused');
      if (next === 'lost') {
        await route.fetch();
        return route.abort('connectionreset');
      }
      if (next === 'slow') await untilKept('Three.');
      return route.continue();
    });
    await toTheEnd(page);
    await page.keyboard.type(' One.');
    await page.locator('.save[data-state=offline]').waitFor();
    await page.keyboard.type(' Two.');
    await page.locator('.save[data-state=refused]').getByText('Broken.').waitFor();
    await page.keyboard.type(' Three.');
    await untilSaved(page);
    expect(text('04-named.md')).toBe('Named. Typed since. One. Two. Three.');

    // Whoever leaves the chapter while it cannot be saved, and comes back.
    answers.push(...Array<string>(20).fill('off'));
    await page.keyboard.type(' Four.');
    await page.locator('.save[data-state=offline]').waitFor();
    await page.getByRole('link', { name: 'Three' }).click();
    await page.locator('.manuscript').getByText('Theirs third.').waitFor();
    answers.length = 0;
    await openChapter(page, opened.address, '04-named.md');
    await page.getByText('was brought back').waitFor();
    await untilSaved(page);
    await page.unroute('**/v1/documents/write');
    expect(text('04-named.md')).toBe('Named. Typed since. One. Two. Three. Four.');
  });

  it('brings back what a page that died had not saved, and says so', async () => {
    await openChapter(page, opened.address, '05.md');
    opened.child.kill('SIGKILL');
    await toTheEnd(page);
    await page.keyboard.type(' Never sent.');
    await page.locator('.save[data-state=offline]').waitFor();
    await page.getByText('kept in this browser').waitFor();
    await page.close({ runBeforeUnload: false });
    expect(text('05.md')).toBe('Start.');
    opened = await openProject(folder, { home: opened.home });
    page = await context.newPage();
    await openChapter(page, opened.address, '05.md');
    await page.getByText('was brought back').waitFor();
    await untilSaved(page);
    expect(text('05.md')).toBe('Start. Never sent.');
  });

  it('opens for axe, on a narrow screen and in Chinese', async () => {
    const seen = watchPage(page, opened.address);
    await openChapter(page, opened.address, '01.md');
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByText('已保存').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'English' }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(seen).toEqual({ outside: [], errors: [] });
  });
});

describe.skipIf(browserProgram === undefined)('a folder that is no project yet', () => {
  it('stays as it is until the writer begins, and says where its store is of a newer version', async () => {
    const folder = makeBook({ '01.md': '# One\n\nIt began.\n' }, { isBegun: false });
    const opened = await openProject(folder);
    const page = await (await sharedBrowser()).newPage();
    await page.goto(opened.link);
    const button = page.getByRole('button', { name: 'Begin' });
    await button.waitFor();
    expect(existsSync(join(folder, '.galley'))).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    await button.click();
    await page.getByRole('link', { name: 'One' }).click();
    await page.locator('.manuscript .cm-content').waitFor();
    expect(existsSync(join(folder, '.galley/project.json'))).toBe(true);
    expect(readFileSync(join(folder, '01.md'), 'utf8')).toBe('# One\n\nIt began.\n');
    await opened.end();

    // The number of its version, as SQLite keeps it.
    const store = openSync(join(folder, '.galley/galley.db'), 'r+');
    writeSync(store, Uint8Array.of(0, 0, 39, 15), 0, 4, 60);
    closeSync(store);
    const newer = await openProject(folder, { home: opened.home });
    await page.reload();
    await page.getByText('written by a newer Galley').waitFor();
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByText('请更新 Galley').waitFor();
    await page.context().close();
    await newer.end();
    removeHome(opened);
    rmSync(folder, { recursive: true, force: true });
  });
});
