// What works on the manuscript, in a real browser: skills against a provider on this machine, panels, hostile text, keys alone.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import {
  axeFindings,
  browserProgram,
  type OpenProject,
  openProject,
  type Page,
  removeHome,
  sharedBrowser,
  untilTrue,
  watchPage,
} from './open-page.js';
import { makeBook, openChapter, toTheEnd, untilSaved } from './studio-page.js';

const evil = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
const link = '[a](javascript:globalThis.hit=1) ![b](http://evil.example/b.png) <iframe src="//evil.example">';
const files = {
  '01.md': '# One\n\nMara found the silver key. The river was cold. Nobody spoke.\n',
  'codex/Orla.md':
    '# Orla\n\nkind: people\n\nFrom chapter 2: She owns the boat.\nSecret until chapter 3: She is the heir.\n',
  '02.md': '# Two\n\nThe boat waited! Mara ran.\n',
  '03.md': `# ${evil}\n\n${evil} ${link}\n\n${'</textarea>'.repeat(3)} {{constructor}} \u202e\u0000`.replace(
    '\u0000',
    '',
  ),
  'codex/evil.md': `# Mallory${evil}\n\n${evil} ${link}\n`,
  'codex/Mara.md': '# Mara\n\nA ferrywoman.\n',
  '.galley/constraints.md': '# Constraints\n\n## Style\n\n- No exclamation marks.\n',
};

describe.skipIf(browserProgram === undefined)('the studio at work', () => {
  let folder: string;
  let model: Loopback;
  let opened: OpenProject;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const panel = (name: string) =>
    page.getByRole('complementary').getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    folder = makeBook(files);
    model = await openLoopback({ cache: false });
    const env = {
      GALLEY_MODEL: 'anthropic/claude-sonnet-4-5',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'key',
    };
    opened = await openProject(folder, { env });
    page = await (await sharedBrowser()).newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(60_000);
    seen = watchPage(page, opened.address);
    await page.goto(opened.link);
    await page.locator('.studio-list a').first().waitFor();
  });
  afterAll(async () => {
    await page.context().close();
    await opened.end();
    await model.close();
    removeHome(opened);
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows what the model knows at the cursor, with its price, before anything is sent', async () => {
    await openChapter(page, opened.address, '01.md');
    await page.getByText(/of 1?\d+,\d+ tokens/).waitFor();
    // Skills that come with Galley are called as the reader speaks.
    await page.getByRole('option', { name: 'Continue', selected: true }).waitFor({ state: 'attached' });
    await page.locator('.layer li').filter({ hasText: 'Mara' }).waitFor();
    await page.getByText(/at most [\d.]+ dollars/).waitFor();
    await page.getByText('Not told here: 2 later chapters, 1 secret.').waitFor();
    expect(model.calls).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
  });

  it('pins and leaves out by hand, edits a rule where it is shown, and sends what is shown', async () => {
    const piece = (name: string) => page.locator('.layer li').filter({ hasText: name });
    await openChapter(page, opened.address, '01.md');
    await piece('Mara').locator('summary').click();
    await page.getByText('A ferrywoman.').waitFor();
    await page.getByRole('button', { name: 'Leave out Mara' }).click();
    await page.getByText('By hand: 0 pinned, 1 left out.').waitFor();
    await piece('Mara').getByText('left out', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'As before' }).click();
    await piece('Mara')
      .getByText(/\d+ tokens/)
      .waitFor();
    await page.getByRole('button', { name: 'Pin Mara' }).click();
    await page.getByText('By hand: 1 pinned, 0 left out.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const rule = piece('No exclamation marks.');
    await rule.locator('summary').click();
    await rule.getByRole('button', { name: /^Edit/ }).click();
    await page.getByRole('textbox', { name: 'Words of the rule' }).fill('No exclamation marks at all.');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await piece('No exclamation marks at all.').waitFor();
    expect(text('.galley/constraints.md')).toContain('\n- No exclamation marks at all.\n');
  });

  it('runs a skill on what is selected, and takes its draft in piece by piece', async () => {
    model.play(() => 'Mara found a silver key. The river was very cold. Nobody spoke.');
    await openChapter(page, opened.address, '01.md');
    await toTheEnd(page);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await panel('Write');
    await page.getByRole('combobox', { name: 'Skill' }).selectOption('polish');
    await page.getByRole('button', { name: 'Run' }).click();
    const second = page.getByRole('checkbox', { name: /Piece 2/ });
    await second.waitFor();
    // An English chapter is asked about in English.
    expect(JSON.stringify(model.calls.at(-1)?.body)).not.toMatch(/\p{Script=Han}/u);
    await page.getByRole('checkbox', { name: /Piece 1/ }).uncheck();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take in the chosen ones' }).click();
    await page.locator('.manuscript').getByText('very cold').waitFor();
    expect(text('01.md')).toBe(
      '# One\n\nMara found the silver key. The river was very cold. Nobody spoke.\n',
    );
    await page.getByRole('checkbox', { name: /Piece 2/, disabled: true }).waitFor();
    await panel('History');
    await page.getByRole('button', { name: 'Undo the last draft or restore' }).click();
    await page.getByRole('status').getByText('Undone.').waitFor();
    expect(text('01.md')).toBe(files['01.md']);
    await page.locator('.manuscript').getByText('was cold').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('underlines rules that are broken, keeps a scene card, and leads to findings of the whole book', async () => {
    await openChapter(page, opened.address, '02.md');
    await panel('Scene');
    await page.locator('.ms-finding').waitFor();
    await page.getByRole('textbox', { name: 'Who sees it' }).fill('Mara');
    await page.getByRole('textbox', { name: /^Beats/ }).fill('She finds the boat.');
    await page.getByRole('button', { name: 'Save the card' }).click();
    await page.getByText('The card is saved.').waitFor();
    expect(text('.galley/scenes/02.md')).toContain('She finds the boat.');
    expect(await axeFindings(page)).toEqual([]);
    await openChapter(page, opened.address, '01.md');
    await panel('Check');
    await page.getByRole('button', { name: 'Check the whole book' }).click();
    await page.getByRole('button', { name: 'Two, line 3' }).click();
    await page.locator('.manuscript').getByText('The boat waited').waitFor();
    await untilTrue(page, "getSelection().toString() === '!'");
    expect(await axeFindings(page)).toEqual([]);
  });

  it('writes cards to their files, with facts and secrets by chapter, and overwrites no other hand', async () => {
    await openChapter(page, opened.address, '01.md');
    await panel('Codex');
    const orla = page.locator('details.piece').filter({ hasText: 'Orla' });
    await orla.locator('summary').first().click();
    await orla.getByText('secret until chapter 3').waitFor();
    await orla.getByText('in 0 of 3 chapters').waitFor();
    await page.getByRole('button', { name: 'Edit Orla' }).click();
    const form = page.getByRole('form', { name: 'Edit Orla' });
    await form.getByRole('textbox', { name: 'Other names, with commas between' }).fill('the owner, Orl');
    await form.getByRole('button', { name: 'Add a fact' }).click();
    await form.getByRole('textbox', { name: 'Fact 2' }).fill('She limps.');
    await form.getByRole('spinbutton', { name: 'from chapter' }).nth(1).fill('3');
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save the card' }).click();
    await orla.getByText('the owner · Orl').waitFor();
    expect(text('codex/Orla.md')).toContain('Secret until chapter 3: She is the heir.');
    expect(text('codex/Orla.md')).toMatch(/She limps\./);

    await orla.locator('summary').first().click();
    await page.getByRole('button', { name: 'Edit Orla' }).click();
    const mine = text('codex/Orla.md');
    writeFileSync(join(folder, 'codex/Orla.md'), `${mine}\nTheirs.\n`);
    await form.getByRole('textbox', { name: 'What is known' }).fill('Mine.');
    await form.getByRole('button', { name: 'Save the card' }).click();
    await form.getByText('changed by somebody else').waitFor();
    // The browser notes a refusal as an error of its own.
    expect(seen.errors.splice(0)).toEqual([expect.stringContaining('409')]);
    expect(text('codex/Orla.md')).toBe(`${mine}\nTheirs.\n`);
    await form.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'New card' }).click();
    const fresh = page.getByRole('form', { name: 'New card' });
    await fresh.getByRole('textbox', { name: 'Name', exact: true }).fill('Old mill');
    await fresh.getByRole('textbox', { name: 'What is known' }).fill('By the river.');
    await fresh.getByRole('button', { name: 'Save the card' }).click();
    await page.locator('details.piece').filter({ hasText: 'Old mill' }).waitFor();
    expect(text('codex/Old mill.md')).toContain('By the river.');
  });

  it('brings in what is dropped on the manuscript, and types none of it in', async () => {
    await openChapter(page, opened.address, '01.md');
    const before = text('01.md');
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      // In GBK, as old editors write it.
      const bytes = [0xb5, 0xda, 0xd2, 0xbb, 0xd5, 0xc2, 0x0a, 0x0a, 0xd3, 0xea, 0xcd, 0xa3, 0xc1, 0xcb, 0xa1, 0xa3, 0x0a];
      data.items.add(new File([Uint8Array.from(bytes)], 'dropped.txt', { type: 'text/plain' }));
      return data;
    })()`);
    for (const type of ['dragenter', 'dragover', 'drop'])
      await page.dispatchEvent('.manuscript .cm-content', type, { dataTransfer: dropped });
    await page.getByRole('status').getByText('1 chapter and 0 cards came in.').waitFor();
    const link = page.locator('.studio-list').getByRole('link', { name: '第一章' });
    await link.waitFor();
    expect(await page.locator('.manuscript .cm-content').textContent()).not.toContain('雨停了');
    await link.click();
    await page.locator('.manuscript').getByText('雨停了。').waitFor();
    expect(text('01.md')).toBe(before);
    const name = decodeURIComponent(page.url().replace(/.*#\/write\//, ''));
    rmSync(join(folder, name));
  });

  it('leaves who works by keys where they were, also where a button goes with what it did', async () => {
    await openChapter(page, opened.address, '01.md');
    await panel('Codex');
    const focused = (what: string) =>
      untilTrue(
        page,
        `(() => {
          const { tagName, ariaLabel, textContent } = document.activeElement;
          return [tagName, ariaLabel, textContent].includes(${JSON.stringify(what)});
        })()`,
      );
    await page.getByRole('button', { name: 'New card' }).focus();
    await page.keyboard.press('Enter');
    await focused('INPUT');
    await page.keyboard.type('Ferry');
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await focused('New card');
    await panel('What the model knows here');
    await page.getByRole('combobox', { name: 'Skill' }).selectOption('continue');
    await page.getByRole('button', { name: 'As before' }).click();
    const mara = page.locator('.layer li').filter({ hasText: 'Mara' });
    await mara.getByText('it fits').waitFor();
    await mara.locator('summary').click();
    await page.getByRole('button', { name: 'Leave out Mara' }).focus();
    await page.keyboard.press('Enter');
    await mara.getByText('left out', { exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.closest('li')?.textContent ?? ''")).toContain('Mara');
    await page.getByRole('button', { name: 'As before' }).click();
  });

  it('says which cards a sentence calls up, and finds words in the book', async () => {
    await openChapter(page, opened.address, '01.md');
    await panel('Codex');
    await page.getByRole('textbox', { name: 'Try a sentence' }).fill('Mara opened the gate.');
    await page.locator('.called').getByText('Mara').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search the book' }).fill('silver');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /silver/ }).click();
    await untilTrue(page, "getSelection().toString() === 'silver'");
    expect(await axeFindings(page)).toEqual([]);
  });

  it('takes no finds away under the keys of somebody who asked anew', async () => {
    const search = page.getByRole('searchbox', { name: 'Search the book' });
    const held: (() => void)[] = [];
    await page.route(/documents\/search/, async (route) => {
      await new Promise<void>((go) => held.push(go));
      await route.continue();
    });
    await search.fill('boat');
    await page.keyboard.press('Enter');
    await page.getByText('Loading …').waitFor();
    expect(await page.locator('.studio-hits').count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const before = await page.evaluate('document.activeElement.textContent');
    await expect.poll(() => held.length).toBe(1);
    held[0]?.();
    await page.locator('.studio-hits').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe(before);
    expect(before).toBe('Two');
    await page.unroute(/documents\/search/);
  });

  it('runs no script of a manuscript, and asks nobody for it', async () => {
    await openChapter(page, opened.address, '03.md');
    await toTheEnd(page);
    await page.keyboard.type(evil);
    await untilSaved(page);
    for (const name of ['Scene', 'Codex', 'Check', 'Write', 'History', 'What the model knows here']) {
      await panel(name);
      await page.getByRole('complementary').getByRole('heading').first().waitFor();
    }
    await page.getByRole('searchbox', { name: 'Search the book' }).fill('onerror');
    await page.keyboard.press('Enter');
    await page.locator('.studio-hits').waitFor();
    expect(await page.evaluate('globalThis.hit')).toBeUndefined();
    expect(seen).toEqual({ outside: [], errors: [] });
  });

  it('can be used by keys alone', async () => {
    await page.goto(`${opened.address}/#/write`);
    await page.getByRole('link', { name: 'Two' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search the book' }).focus();
    const label = () =>
      page.evaluate<string>("document.activeElement.textContent || document.activeElement.ariaLabel || ''");
    const tabTo = async (words: string) => {
      for (let steps = 0; steps < 60; steps += 1) {
        if ((await label()).includes(words)) return;
        await page.keyboard.press('Tab');
      }
      expect.unreachable(words);
    };
    await tabTo('Two');
    await page.keyboard.press('Enter');
    await page.locator('.manuscript .cm-content').waitFor();
    await untilTrue(page, "document.activeElement.classList.contains('cm-content')");
    await page.keyboard.press('Control+End');
    await page.keyboard.type('By keys.');
    await untilSaved(page);
    expect(text('02.md')).toBe(`${files['02.md']}By keys.`);
    await page.keyboard.press('Tab');
    await tabTo('History');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'History' }).waitFor();
  });
});
