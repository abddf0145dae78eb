// The inspector in a browser: what it shows is what is sent, from both sides; what one turns is set anew.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '../../web/src/inspector/history.js';
import {
  axeFindings,
  type BrowserContext,
  browserProgram,
  type OpenProject,
  openProject,
  type Page,
  removeHome,
  type Visit,
  visitProject,
  watchPage,
} from './open-page.js';

const bin = join(process.cwd(), 'bin/galley.js');
const root = mkdtempSync(join(tmpdir(), 'galley-inspector-'));
const [book, repository] = [join(root, 'novel'), join(root, 'code')] as const;
const env = { PATH: process.env.PATH, HOME: root, LC_ALL: 'C' };
/** Markup, a script, an end of a script and a bidirectional override: text, wherever it stands. */
const hostile = '<img src=x onerror="window.met=1"></script><script>window.met=1</script>\u202e';
const where = 'sent?document=02.md&skill=continue&cursor=12';

function galley(args: readonly string[], input?: object): string {
  const run = spawnSync(process.execPath, [bin, ...args], {
    ...{ cwd: book, env, encoding: 'utf8' as const },
    input: input === undefined ? '' : JSON.stringify(input),
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

const request = { projectId: 'novel', documentId: '02.md', cursorPosition: 12, skillId: 'continue' };

beforeAll(() => {
  mkdirSync(book);
  writeFileSync(join(book, '01.md'), `# 第一章\n\n${'雨下了一夜，林晚没有睡。'.repeat(60)}\n\n${hostile}\n`);
  writeFileSync(join(book, '02.md'), '# 第二章\n\n信纸发黄，上面只有一行字。\n');
  galley(['write', 'init']);
  galley(['write', 'constraints', 'add', '林晚不抽烟']);
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: repository });
  git('init', '-q');
  writeFileSync(join(repository, 'a.ts'), 'export const a = 1;\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  writeFileSync(join(repository, 'a.ts'), `export const a = 2;\n// ${hostile}\n`);
  git('commit', '-qam', 'two');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(browserProgram === undefined)('the inspector', () => {
  let visit: Visit;
  let context: BrowserContext;
  let opened: OpenProject;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;
  beforeAll(async () => {
    visit = await visitProject(book, {
      args: ['--port', '0'],
      browsing: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    ({ context, opened, page, seen } = visit);
  });
  afterAll(() => visit?.leave());
  const show = async (view: string) => {
    await page.goto(`${opened.address}/#/${view}`);
    await page.reload();
    await page.getByRole('tab', { name: 'Map' }).waitFor();
  };

  it('shows every byte that is sent, and nothing else', async () => {
    await show(where);
    await page.getByRole('tab', { name: 'Text' }).click();
    const sent = JSON.parse(galley(['call', 'context:assemble'], { ...request, format: 'chapters' }));
    const shown = async (name: string) => (await page.getByRole('region', { name }).textContent()) ?? '';
    expect(await shown('Prompt')).toBe(sent.prompt);
    expect(await shown('System text')).toBe(sent.system);
    expect(sent.prompt).toContain(hostile.slice(0, 30));
    await page.getByRole('button', { name: 'Copy' }).last().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sent.prompt);
  });

  it('leads from a piece to its text and back, by mouse and by keyboard', async () => {
    await show(where);
    const inside = page.getByRole('group', { name: /In the prompt/ });
    await inside.focus();
    await page.keyboard.press('ArrowRight');
    const chosen = page.getByRole('complementary');
    const first = await chosen.getByRole('heading').textContent();
    await page.keyboard.press('End');
    await expect.poll(() => chosen.getByRole('heading').textContent()).not.toBe(first);
    await page.getByRole('tab', { name: 'Map' }).focus();
    await page.keyboard.press('ArrowRight');
    const current = page.locator('.sent [aria-current]');
    await expect.poll(() => current.count()).toBeGreaterThan(0);
    await page.getByText('林晚不抽烟').click();
    await expect.poll(() => chosen.getByRole('heading').textContent()).toContain('constraint:');
    expect(await chosen.textContent()).toContain('pinned');
    await page.getByRole('tab', { name: 'Pieces' }).click();
    await page.getByRole('searchbox').fill('constraint:');
    await expect.poll(() => page.getByRole('row').count()).toBe(1);
  });

  it('sets the prompt anew for another budget, says what went, and makes it the most of the project and back', async () => {
    await show(where);
    const budget = page.getByRole('spinbutton', { name: 'Budget' });
    await budget.fill('700');
    await budget.press('Enter');
    const changed = page.getByRole('region', { name: 'What changed' });
    await changed.waitFor();
    await expect.poll(() => page.locator('.budget figcaption').textContent()).toContain('of 700 tokens');
    expect(await changed.textContent()).toMatch(/Went out|another size/);
    await budget.fill('3');
    await budget.press('Enter');
    await page.getByText('CONTEXT_BUDGET_INFEASIBLE').waitFor();
    await budget.fill('900');
    await budget.press('Enter');
    await expect.poll(() => page.locator('.budget figcaption').textContent()).toContain('of 900 tokens');
    const ofProject = () => {
      const profile = JSON.parse(galley(['call', 'context:budget:get'], { projectId: 'novel' }));
      return profile.window - profile.outputReserve;
    };
    const before = ofProject();
    await page.getByRole('button', { name: 'Use this' }).click();
    await page.getByText('The next run in this chapter sends it so.').waitFor();
    expect(ofProject()).toBe(before);
    await page.getByRole('button', { name: 'Let no prompt of this project be larger' }).click();
    await page.getByText('no prompt of this project is larger than 900').waitFor();
    expect(ofProject()).toBe(900);
    await page.getByRole('button', { name: 'Take it back' }).click();
    await page.getByText('As before: up to').waitFor();
    expect(ofProject()).toBe(before);
  });

  it('sends more than a skill aims at where the writer turned it up, and says so beside the chapter', async () => {
    await show(where);
    const budget = page.getByRole('spinbutton', { name: 'Budget' });
    await budget.fill('9000');
    await budget.press('Enter');
    await expect.poll(() => page.locator('.budget figcaption').textContent()).toContain('of 9,000 tokens');
    await page.getByRole('button', { name: 'Use this' }).click();
    await page.getByText('The next run in this chapter').waitFor();
    await page.getByRole('link', { name: 'Write' }).click();
    await page.getByRole('link', { name: '第二章' }).click();
    const asked = page.waitForRequest(
      (request) => request.url().endsWith('/context/inspect') && request.postDataJSON().budget !== undefined,
    );
    expect((await asked).postDataJSON().budget).toEqual({ tokens: 9000 });
    await page.getByText('Budget 9,000.').waitFor();
    await page.getByText(/of 9,000 tokens/).waitFor();
    await page.getByRole('button', { name: 'As before' }).click();
    await page.getByText(/the skill aims at this; there is room for/).waitFor();
    await page.getByRole('link', { name: 'Turn the budget' }).click();
    await page.getByRole('tab', { name: 'Map' }).waitFor();
    expect(page.url()).toContain('document=02.md');
  });

  it('leaves a piece out and brings it back, and keeps one that would give way', async () => {
    await show(where);
    await page.getByRole('tab', { name: 'Pieces' }).click();
    const link = page.getByRole('button', { name: /^previous:/ });
    const name = (await link.textContent()) ?? '';
    await link.click();
    await page.getByRole('button', { name: 'Leave out' }).click();
    const chosen = page.getByRole('complementary');
    await chosen.getByText('asked to stay out').waitFor();
    expect(await page.getByRole('region', { name: 'What changed' }).textContent()).toContain('Went out (1)');
    await page.getByRole('button', { name: 'Leave out' }).click();
    await expect.poll(() => chosen.getByText('asked to stay out').count()).toBe(0);
    await page.getByRole('button', { name: 'Pin' }).click();
    await expect.poll(() => page.getByRole('complementary').textContent()).toContain('pinned');
    expect(await page.getByRole('complementary').getByRole('heading').textContent()).toContain(name);
  });

  it('keeps nothing of what one only tried', async () => {
    const count = () => JSON.parse(galley(['call', 'receipts:list'], { projectId: 'novel' })).receipts.length;
    const before = count();
    await show(where);
    await page.getByRole('slider').focus();
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('ArrowLeft');
    await page.getByRole('region', { name: 'What changed' }).waitFor();
    expect(count()).toBe(before);
  });

  it('lists what was sent, draws a receipt, and compares two', async () => {
    galley(['call', 'context:assemble'], request);
    galley(['call', 'context:assemble'], { ...request, additionalInput: '短一点' });
    await page.goto(`${opened.address}/#/runs`);
    await page.reload();
    const boxes = page.getByRole('checkbox');
    await boxes.first().waitFor();
    await boxes.nth(1).check();
    await page.getByRole('tab', { name: 'Map' }).waitFor();
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByText('only its receipt').waitFor();
    await boxes.nth(0).check();
    const changed = page.getByRole('region', { name: 'What changed' });
    await changed.waitFor();
    expect(await changed.textContent()).toContain('tokens in all');
    for (const name of ['Compare the day', 'with'])
      await page.getByLabel(name, { exact: true }).fill(dayOf(Date.now()));
    const days = page.getByRole('region', { name: 'Two days' });
    await days.getByText(/context: \d+ → \d+/).waitFor();
    expect(await days.getByRole('row', { name: /^Runs (\d+) \1 ±0/ }).count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    await days.getByRole('button', { name: 'Close' }).click();
    for (const at of [1, 0]) await boxes.nth(at).check();
    // Kept by another version, and by a newer one that nobody here can read.
    await page.route('**/v1/receipts/get', (route) =>
      route.fulfill({
        json: { id: 'r', operation: 'o', createdAt: '', seal: 'unsealed', value: { form: 9 } },
      }),
    );
    await boxes.nth(0).uncheck();
    await page.getByText('of another version').waitFor();
    const error = { code: 'STORE_TOO_NEW', message: 'The store was made by a newer version.' };
    await page.route('**/v1/receipts/list', (route) => route.fulfill({ status: 409, json: { error } }));
    await page.reload();
    await page.getByRole('alert').getByText('STORE_TOO_NEW').waitFor();
    await page.unroute('**/v1/receipts/get');
    await page.unroute('**/v1/receipts/list');
  });

  it('writes a receipt as one file that opens from disk, shows it, and asks nobody', async () => {
    const { receipts } = JSON.parse(galley(['call', 'receipts:list'], { projectId: 'novel' }));
    const file = join(root, 'receipt.html');
    galley(['receipts', receipts[0].id, '--html', file]);
    const other = await context.newPage();
    const watched = watchPage(other, pathToFileURL(root).href);
    await other.goto(pathToFileURL(file).href);
    await other.getByRole('tab', { name: 'Pieces' }).click();
    await other.getByRole('row').filter({ hasText: 'constraint:' }).first().waitFor();
    expect(await axeFindings(other)).toEqual([]);
    expect(watched).toEqual({ outside: [], errors: [] });
    await other.close();
    expect(() => galley(['receipts', '--html', file])).toThrow(/needs the id/);
  });

  it('is fit for everyone: no finding of axe, in light and dark, narrow, in Chinese', async () => {
    await show(where);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const tab of ['Map', 'Text', 'Pieces']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await axeFindings(page)).toEqual([]);
      }
    }
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('heading', { name: '模型收到什么' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'English' }).click();
    await page.setViewportSize({ width: 1200, height: 800 });
  });

  it('shows a change as the reviewer gets it, runs no script of it, and asks nobody else', async () => {
    const code = await openProject(repository, { args: ['--port', '0'] });
    const other = await context.newPage();
    let answer = () => {};
    const held = new Promise<void>((go) => {
      answer = go;
    });
    await other.route('**/v1/review/inspect', (route) => held.then(() => route.continue()));
    const watched = watchPage(other, code.address);
    await other.goto(code.link);
    // Without a word about which: the change that a review would take.
    await other.getByRole('link', { name: 'What is sent' }).click();
    // Until the prompt is set its files are there to look at, and no number that is not known yet.
    await other.getByText('1 file, 3 changed lines. The prompt is being set').waitFor();
    expect(await other.getByRole('group', { name: /^The change, by changed lines/ }).count()).toBe(1);
    expect(await other.locator('.budget, .what-if').count()).toBe(0);
    answer();
    await other.getByRole('tab', { name: 'Map' }).waitFor();
    await other.goto(`${code.address}/#/sent?mode=commit&commit=HEAD`);
    await other.getByRole('tab', { name: 'Text' }).click();
    const text = await other.getByRole('region', { name: 'Prompt' }).textContent();
    expect(text).toContain('export const a = 2;');
    expect(text).toContain('<img src=x onerror=');
    const budget = other.getByRole('spinbutton', { name: 'Budget' });
    await budget.fill('5000');
    await budget.press('Enter');
    await other.locator('.what-if').getByText('in all').waitFor();
    await other.getByRole('tab', { name: 'Pieces' }).click();
    await other.getByRole('button', { name: 'diff:a.ts', exact: true }).click();
    await other
      .getByLabel('Shown of this file')
      .selectOption({ label: 'the whole file, of a long one head and tail' });
    await other.locator('.what-if').getByText('in all').waitFor();
    await other.getByRole('button', { name: 'Use this' }).click();
    await other.getByText('+maxPromptTokens: 5000').waitFor();
    expect(await other.locator('.proposal pre').textContent()).toContain('"full_file"');
    const config = join(repository, 'galley.config.yaml');
    expect(existsSync(config)).toBe(false);
    await other.getByRole('button', { name: 'Write galley.config.yaml' }).click();
    await other.getByText('once it is committed').waitFor();
    expect(readFileSync(config, 'utf8')).toMatch(/^maxPromptTokens: 5000\nrules:\n {2}- \{.*"\/a\.ts"/);
    expect(await axeFindings(other)).toEqual([]);
    await other.getByRole('button', { name: 'Take it back' }).click();
    await other.getByText('is as it was').waitFor();
    expect(existsSync(config)).toBe(false);
    await other.getByLabel('Compare with a branch or commit').fill('HEAD~1');
    await other.keyboard.press('Enter');
    const compared = other.getByRole('region', { name: 'What changed' }).first();
    await compared.getByText('tokens in all').waitFor();
    await other.goto(`${code.address}/#/review?mode=commit&commit=HEAD`);
    await other.getByText('The next run: budget 5,000 · 1 shown at another level').waitFor();
    for (const shown of [page, other]) expect(await shown.evaluate('window.met')).toBeUndefined();
    expect([...seen.outside, ...watched.outside]).toEqual([]);
    expect([...seen.errors, ...watched.errors].filter((line) => !/status of 4\d\d/.test(line))).toEqual([]);
    await code.end();
    removeHome(code);
  });

  it('asks for the change with its first questions, once, sets the prompt of that very change, and reads it anew on demand', async () => {
    const two = ['first', 'second'].map((name) => `export function ${name}() {\n  return 3;\n}\n`);
    writeFileSync(join(repository, 'a.ts'), two.join('\n'));
    const code = await openProject(repository, { args: ['--port', '0'] });
    const fresh = await context.newPage();
    await fresh.goto(code.link);
    await fresh.getByRole('navigation').first().waitFor();
    let letIn = () => {};
    const held = new Promise<void>((go) => {
      letIn = go;
    });
    await fresh.route('**/page/start', (route) => held.then(() => route.continue()));
    const asked: string[] = [];
    fresh.on('request', (each) => asked.push(new URL(each.url()).pathname));
    await fresh.goto('about:blank');
    asked.length = 0;
    const [first, set] = [
      fresh.waitForResponse('**/v1/review/changes'),
      fresh.waitForRequest('**/v1/review/inspect'),
    ];
    await fresh.goto(`${code.address}/#/sent?mode=working`);
    // Who is let in is not known yet, and the parts of the view are here all the same.
    const { look } = await (await first).json();
    await expect.poll(() => asked.some((path) => path.includes('/sent-view-'))).toBe(true);
    letIn();
    expect(look).toMatch(/^\w{32}$/);
    expect((await set).postDataJSON()).toMatchObject({ mode: 'working', look });
    await fresh.getByRole('tab', { name: 'Map' }).waitFor();
    expect(asked.filter((path) => path === '/v1/review/changes')).toHaveLength(1);
    await fresh.getByRole('tab', { name: 'Pieces' }).click();
    await fresh.getByRole('button', { name: 'diff:a.ts', exact: true }).click();
    await fresh
      .getByLabel('Shown of this file')
      .selectOption({ label: 'the whole file, of a long one head and tail' });
    // What a part of it is shown with where nobody says so is what the file is shown with.
    await expect
      .poll(() => fresh.locator('.level option:first-child').allTextContents())
      .toContain('as it is: the whole file, of a long one head and tail');
    const long = `${'long-'.repeat(30)}.ts`;
    writeFileSync(join(repository, long), 'export const b = 1;\n');
    await fresh.getByRole('button', { name: 'Show', exact: true }).click();
    await fresh.getByRole('tab', { name: 'Pieces' }).click();
    const added = fresh.getByRole('button', { name: `diff:${long}`, exact: true });
    await added.waitFor();
    // A name that is too long is cut; the row holds what there is room for.
    const isCut = `(() => {
      const button = document.querySelector('.list button[title*="long-"]');
      return button.clientWidth > 100 && button.scrollWidth > button.clientWidth;
    })()`;
    expect(await fresh.evaluate(isCut)).toBe(true);
    rmSync(join(repository, long));
    // So it does when one comes back to it.
    await fresh.getByRole('link', { name: 'Agents' }).click();
    await fresh.getByRole('heading', { name: 'Agents' }).first().waitFor();
    await fresh.goBack();
    await fresh.getByRole('tab', { name: 'Pieces' }).click();
    await fresh.getByRole('button', { name: 'diff:a.ts', exact: true }).waitFor();
    expect(await fresh.getByRole('button', { name: `diff:${long}`, exact: true }).count()).toBe(0);
    execFileSync('git', ['checkout', '-q', '--', 'a.ts'], { cwd: repository });
    await fresh.getByRole('button', { name: 'Show', exact: true }).click();
    await fresh.getByText('Nothing is changed here').waitFor();
    expect(await fresh.getByRole('tab').count()).toBe(0);
    await fresh.close();
    await code.end();
    removeHome(code);
  });
});
