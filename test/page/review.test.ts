// The review view as a person uses it: a real repository, a model on this machine, a real browser, the keyboard alone.
import { execFile as execFileCallback } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { openForge } from '../../src/testing/forge/open-forge.js';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import {
  axeFindings,
  browserProgram,
  openProject,
  type Page,
  sharedBrowser,
  type Visit,
  visitProject,
  watchPage,
} from './open-page.js';

const execFile = promisify(execFileCallback);
const model = 'anthropic/claude-sonnet-4-5';
const markup = '<img src=x onerror="globalThis.stolen=1"><script>globalThis.stolen=1</script>';
const hostileName = 'src/<img src=x onerror=globalThis.stolen=1>.ts';

function pay(body: string): string {
  return `export function pay(amount: number): number {\n${body}\n}\n`;
}

/** `topic` is checked out; what it adds to `main` is the change. */
function reviewedRepository(): ScratchRepository {
  const repository = scratchRepository();
  repository.write('src/pay.ts', pay('  return amount;'));
  repository.write('src/auth/token.ts', 'export const lifetime = 60;\n');
  repository.write('package-lock.json', '{"lockfileVersion":3}\n');
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  repository.write('src/pay.ts', pay('  if (amount < 0) return 0;\n  return amount * 0;'));
  repository.write('src/auth/token.ts', 'export const lifetime = 6000;\n');
  repository.write('package-lock.json', '{"lockfileVersion":4}\n');
  repository.write('src/made.ts', '// @generated\nexport const made = 1;\n');
  repository.write(hostileName, `const a = '${markup}';\n// \u202eturned \u0007\u001b[31m\n`);
  repository.write('src/long.js', `const long = "${'x'.repeat(1_000_000)}";\n`);
  repository.commit('after');
  return repository;
}

const findings = [
  {
    ...{ path: 'src/pay.ts', side: 'new', startLine: 3, endLine: 3, severity: 'critical' },
    ...{
      category: 'correctness',
      confidence: 0.9,
      title: 'Nobody is paid',
      evidence: '  return amount * 0;',
    },
    message: `The amount is multiplied by nothing. ${markup}`,
    suggestion: { replacement: '  return amount;', startLine: 3, endLine: 3 },
  },
  {
    ...{ path: 'src/auth/token.ts', side: 'new', startLine: 1, endLine: 1, severity: 'low' },
    ...{ category: 'security', confidence: 0.6, title: 'Tokens live long', evidence: 'lifetime = 6000' },
    message: 'A token lives for more than an hour.',
  },
];

describe.skipIf(browserProgram === undefined)('the review view', () => {
  let repository: ScratchRepository;
  let loopback: Loopback;
  let visit: Visit;

  beforeAll(async () => {
    repository = reviewedRepository();
    loopback = await openLoopback({ script: { json: { summary: 'It pays.', findings } } });
    visit = await visitProject(repository.folder, {
      env: { ANTHROPIC_BASE_URL: loopback.url, ANTHROPIC_API_KEY: 'key', GALLEY_MODEL: model },
      browsing: { acceptDownloads: true },
    });
  });
  afterAll(async () => {
    await visit?.leave();
    await loopback.close();
    repository.dispose();
  });

  async function openView(query = ''): Promise<{ page: Page; seen: ReturnType<typeof watchPage> }> {
    const { context, opened } = visit;
    const page = await context.newPage();
    const seen = watchPage(page, opened.address);
    await page.goto(`${opened.address}/#/review${query}`);
    await page.getByRole('heading', { name: 'Files by risk' }).waitFor();
    return { page, seen };
  }
  const isClean = async (page: Page, seen: ReturnType<typeof watchPage>) => {
    expect(await page.evaluate('globalThis.stolen')).toBeUndefined();
    // Whoever asks for a pull request where there is none is told so, and the browser writes that down.
    const errors = seen.errors.filter((error) => !error.includes('status of 400'));
    expect({ outside: seen.outside, errors }).toEqual({ outside: [], errors: [] });
  };

  it('shows what galley review would take: risk first, coverage, what hides, what is left out and why', async () => {
    const { page, seen } = await openView();
    const names = await page.locator('.index tbody th').allTextContents();
    expect(names[0]).toBe('src/auth/token.ts');
    expect(names).toContain(hostileName);
    const lockfile = page.locator('.index tr', { hasText: 'package-lock.json' });
    await expect.poll(() => lockfile.textContent()).toContain('lockfile');
    expect(await page.getByLabel('This change keeps parts').textContent()).toContain('CHANGE_HIDES_ITSELF');
    expect(await page.getByRole('img', { name: /changed lines on pages/ }).count()).toBe(1);
    const pays = page.getByRole('region', { name: 'src/pay.ts' });
    await pays.getByText('return amount * 0;').waitFor();
    expect(await pays.locator('tr.added td.no').allTextContents()).toEqual(['', '2', '', '3']);
    await expect.poll(() => pays.textContent()).toContain('page 1');
    await expect
      .poll(() => page.getByLabel('Review by a model').textContent())
      .toMatch(/calls: 1 .* about \$/);
    await isClean(page, seen);
    await page.close();
  });

  it('has a change reviewed by keyboard alone, a finding dismissed and taken back, a suggestion applied and undone', async () => {
    const { page, seen } = await openView('?mode=pr&base=main&head=HEAD');
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Have it reviewed');
    await page.getByText('Reviewed by').waitFor();
    expect(loopback.calls.length).toBeGreaterThan(0);
    const history = await visit.context.newPage();
    await history.goto(`${visit.opened.address}/#/runs`);
    const run = history.getByRole('row').filter({ hasText: model });
    await expect.poll(() => run.first().textContent()).toMatch(/review.*\$0\.\d+.*(?:Read|files)/s);
    await history.close();
    const focused = (name: RegExp) =>
      page.getByRole('article', { name }).and(page.locator(':focus')).waitFor();
    await press('Next finding');
    await focused(/Tokens live long/);
    // Whoever asks twice at once goes on from the second.
    await press('Next finding');
    await press('Previous finding');
    await press('Next finding');
    const card = page.getByRole('article', { name: /Nobody is paid/ });
    await focused(/Nobody is paid/);
    expect(await card.textContent()).toContain(markup);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Apply to the work tree');
    await page.keyboard.press('Enter');
    await card.getByText('Applied to the work tree').waitFor();
    expect(readFileSync(join(repository.folder, 'src/pay.ts'), 'utf8')).toBe(
      pay('  if (amount < 0) return 0;\n  return amount;'),
    );
    // The button went; who pressed it stands on the way back.
    await card.getByRole('button', { name: 'Take it back' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await card.getByRole('button', { name: 'Apply' }).waitFor();
    expect(repository.git('status', '--porcelain', 'src/pay.ts')).toBe('');
    await card.getByRole('button', { name: 'Apply' }).press('Enter');
    await card.getByText('Applied to the work tree').waitFor();
    const other = page.getByRole('article', { name: /Tokens live long/ });
    await other.getByRole('button', { name: 'Dismiss' }).focus();
    await page.keyboard.press('Enter');
    await other.getByText('Dismissed').waitFor();
    const kept = join(repository.folder, '.galley/exemptions.json');
    expect(JSON.parse(readFileSync(kept, 'utf8')).exemptions).toMatchObject([{ path: 'src/auth/token.ts' }]);
    const download = page.waitForEvent('download');
    await page.getByLabel('Format').selectOption('sarif');
    await press('Download');
    const sarif = readFileSync(await (await download).path(), 'utf8');
    expect(sarif).toContain('Nobody is paid');
    expect(sarif).not.toContain('"text": "Tokens live long"');
    await other.getByRole('button', { name: 'Take it back' }).focus();
    await page.keyboard.press('Enter');
    await other.getByRole('button', { name: 'Dismiss' }).waitFor();
    expect(existsSync(kept)).toBe(false);
    await isClean(page, seen);
    await page.close();
  });

  it('applies nothing to a file that changed after it was reviewed', async () => {
    const { page } = await openView('?mode=pr&base=main');
    await page.getByRole('button', { name: 'Have it reviewed' }).click();
    const card = page.getByRole('article', { name: /Nobody is paid/ });
    await card.getByRole('button', { name: 'Apply' }).waitFor();
    repository.write('src/pay.ts', 'mine\n');
    await card.getByRole('button', { name: 'Apply' }).click();
    await card.getByText('CHANGED_MEANWHILE').waitFor();
    expect(readFileSync(join(repository.folder, 'src/pay.ts'), 'utf8')).toBe('mine\n');
    repository.git('checkout', '-q', '--', 'src/pay.ts');
    await page.close();
  });

  it('says which files were changed on disk after the change was read', async () => {
    repository.write('src/auth/token.ts', 'export const lifetime = 61;\n');
    const { page } = await openView('?mode=working');
    repository.write('src/auth/token.ts', 'export const lifetime = 62;\n');
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page
      .getByRole('status')
      .filter({ hasText: 'on disk by now' })
      .getByText('src/auth/token.ts')
      .waitFor();
    repository.git('checkout', '-q', '--', 'src/auth/token.ts');
    await page.close();
  });

  it('shows what each page found while the run goes on, and keeps it when the run fails', async () => {
    const { page } = await openView('?mode=pr&base=main');
    const found = { id: 'f1', remedy: undefined, ...findings[0] };
    const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    const news = [
      { page: 1, status: 'reviewed', findings: [found] },
      { page: 2, status: 'failed', code: 'TIMEOUT', findings: [] },
    ];
    await page.route('**/v1/review/run/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body:
          event('progress', { stage: 'review', done: 2, total: 3, pages: news }) +
          event('error', { error: { code: 'MODEL_UNAVAILABLE', message: 'It is away.' } }),
      }),
    );
    await page.getByRole('button', { name: 'Have it reviewed' }).click();
    const run = page.getByLabel('Review by a model');
    await run.getByText('MODEL_UNAVAILABLE').waitFor();
    await run.getByText('Page 2 is missing: TIMEOUT').waitFor();
    expect(await run.textContent()).toContain('Findings so far: 1');
    await page.getByRole('article', { name: /Nobody is paid/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.close();
  });

  it('exports in every format', async () => {
    const { page } = await openView('?mode=pr&base=main');
    await page.getByRole('button', { name: 'Have it reviewed' }).click();
    await page.getByText('Reviewed by').waitFor();
    for (const format of ['markdown', 'json', 'sarif', 'rdjson', 'rdjsonl', 'gitlab', 'github']) {
      await page.getByLabel('Format').selectOption(format);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      expect(readFileSync(await (await download).path(), 'utf8')).toContain('Nobody is paid');
    }
    await page.close();
  });

  it('posts to the pull request of the branch, once it has said what', async () => {
    const forge = await openForge({ kind: 'github', repository: 'acme/widgets' });
    for (const branch of ['main', 'topic'])
      await forge.push({
        ...{ branch, folder: repository.folder },
        commit: repository.git('rev-parse', branch).trim(),
      });
    const number = await forge.openPull({ head: 'topic', title: 'It pays' });
    const env = { ANTHROPIC_BASE_URL: loopback.url, ANTHROPIC_API_KEY: 'key', GALLEY_MODEL: model };
    const { page, opened, leave } = await visitProject(repository.folder, {
      ...{ args: ['--port', '0'], env: { ...env, ...forge.env } },
    });
    await page.goto(`${opened.address}/#/review?mode=pr&base=main`);
    await page.getByRole('button', { name: 'Have it reviewed' }).click();
    const post = page.getByRole('button', { name: `Post to #${number}` });
    await post.waitFor();
    // A comment on what one has dismissed would be a surprise.
    await page
      .getByRole('article', { name: /Tokens live long/ })
      .getByRole('button', { name: 'Dismiss' })
      .click();
    await page
      .getByRole('article', { name: /Tokens live long/ })
      .getByText('Dismissed')
      .waitFor();
    await post.press('Enter');
    const really = page.getByRole('button', { name: 'Post: 1 remark on lines, a summary' });
    await really.waitFor();
    expect(forge.pull(number)).toMatchObject({ threads: [], comments: [] });
    await really.press('Enter');
    await page.getByText('Posted: 1 remark on lines.').waitFor();
    expect(forge.pull(number).threads).toHaveLength(1);
    expect(forge.pull(number).comments).toHaveLength(1);
    await leave();
    await forge.close();
    rmSync(join(repository.folder, '.galley/exemptions.json'), { force: true });
  });

  it('cuts a line of a megabyte with a count and shows more of it in steps', async () => {
    const { page, seen } = await openView();
    const file = page.getByRole('region', { name: 'src/long.js' });
    const fold = file.getByRole('button', { name: /^Show the diff|^Hide the diff/ });
    await fold.focus();
    if ((await fold.getAttribute('aria-expanded')) === 'false') await page.keyboard.press('Enter');
    const more = file.getByRole('button', { name: /more characters/ });
    await more.waitFor();
    expect(await more.textContent()).toContain('998,016');
    const length = () => file.locator('td.code').evaluate((cell) => cell.textContent?.length ?? 0);
    expect(await length()).toBeLessThan(3000);
    await more.press('Enter');
    await expect.poll(length).toBeGreaterThan(20_000);
    expect(await length()).toBeLessThan(21_000);
    await isClean(page, seen);
    await page.close();
  });

  it('takes the change from the address and the form', async () => {
    const { page } = await openView('?mode=commit&commit=main');
    expect(await page.locator('.index tbody th').allTextContents()).toContain('src/pay.ts');
    await page.getByRole('combobox', { name: 'Change' }).selectOption('staged');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('There is nothing to review here.').waitFor();
    expect(page.url()).toContain('#/review?mode=staged');
    await page.getByRole('combobox', { name: 'Change' }).selectOption('commit');
    await page.getByRole('textbox', { name: 'Commit' }).fill('no-such');
    await page.keyboard.press('Enter');
    await page.getByText('REVISION_NOT_FOUND').waitFor();
    await page.close();
  });

  it.each([
    ['light', 'en', 1280],
    ['dark', 'zh', 390],
  ] as const)('reads well in %s, %s, at %i px', async (colorScheme, locale, width) => {
    const { page, seen } = await openView('?mode=pr&base=main');
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('button', { name: 'Have it reviewed' }).click();
    await page.getByText('Reviewed by').waitFor();
    if (locale === 'zh') await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('article').first().waitFor();
    if (locale === 'zh') {
      const run = page.getByLabel('由模型评审');
      await run.getByText(/部分：/).waitFor();
      expect(await run.textContent()).not.toMatch(/Partial|Complete/);
    }
    expect(await axeFindings(page)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    const shots = process.env.GALLEY_SHOTS;
    if (shots !== undefined)
      await page.screenshot({
        path: join(shots, `review-${colorScheme}-${locale}-${width}.png`),
        fullPage: true,
      });
    if (locale === 'zh') await page.getByRole('button', { name: 'English' }).click();
    await isClean(page, seen);
    await page.close();
  });

  it('draws only the files in sight, of a hundred and fifty', async () => {
    const many = scratchRepository();
    many.write('README.md', 'one\n');
    many.commit('before');
    for (let n = 0; n < 150; n += 1)
      many.write(`src/file-${n}.ts`, `export const a${n} = ${n};\n`.repeat(40));
    const project = await openProject(many.folder, { home: visit.opened.home });
    const page = await (await sharedBrowser()).newPage();
    await page.goto(project.link);
    await page.getByRole('heading', { name: /^Files/ }).waitFor();
    await page.locator('.diff tr.added').first().waitFor();
    expect(await page.locator('section.file').count()).toBe(150);
    expect(await page.locator('.diff table').count()).toBeLessThan(40);
    await page.getByRole('heading', { name: 'Files by risk' }).waitFor();
    await page.getByRole('button', { name: 'src/file-149.ts', exact: true }).press('Enter');
    const last = page.getByRole('region', { name: 'src/file-149.ts' });
    await last.getByText('export const a149 = 149;').first().waitFor();
    expect(await page.locator('.diff table').count()).toBeLessThan(80);
    await page.context().close();
    await project.end();
    many.dispose();
  });
});

describe('galley review --open and --html', () => {
  let repository: ScratchRepository;
  let loopback: Loopback;
  const home = mkdtempSync(join(tmpdir(), 'galley-review-home-'));
  beforeAll(async () => {
    repository = reviewedRepository();
    loopback = await openLoopback({ script: { json: { summary: 'It pays.', findings } } });
  });
  afterAll(async () => {
    await loopback.close();
    repository.dispose();
    rmSync(home, { recursive: true, force: true });
  });
  const environment = () => ({
    ...{ PATH: process.env.PATH, HOME: home, LC_ALL: 'C' },
    ...{ ANTHROPIC_BASE_URL: loopback.url, ANTHROPIC_API_KEY: 'key' },
  });
  const galley = (...args: string[]) =>
    execFile(process.execPath, [join(process.cwd(), 'bin/galley.js'), ...args], {
      cwd: repository.folder,
      env: environment(),
    });

  it.each([
    [['--open', 'main..topic'], '/#/review?mode=pr&base=main&head=topic'],
    [['--open', '--commit', 'HEAD@{0}', '--', 'src'], '/#/review?mode=commit&commit=HEAD%40%7B0%7D&path=src'],
    [['--open'], '/#/review'],
  ])('review %j lands on its change', async (args, place) => {
    const project = await openProject(repository.folder, {
      args,
      command: 'review',
      env: environment(),
      home,
    });
    const answer = await fetch(project.link, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(place);
    await project.end();
  });

  it.skipIf(browserProgram === undefined)(
    'writes one file that opens from disk, shows the findings, and asks nobody',
    async () => {
      const file = join(home, 'review.html');
      await galley('review', '--base', 'main', '--model', model, '--html', file);
      const text = readFileSync(file, 'utf8');
      expect(text).not.toContain(markup);
      expect(text).not.toContain(repository.folder);
      const page = await (await sharedBrowser()).newPage({ acceptDownloads: true });
      const seen = watchPage(page, pathToFileURL(home).href);
      await page.goto(pathToFileURL(file).href);
      await page.getByRole('heading', { name: 'Files by risk' }).waitFor();
      const card = page.getByRole('article', { name: /Nobody is paid/ });
      await card.waitFor();
      expect(await card.textContent()).toContain(markup);
      expect(await card.getByRole('button').count()).toBe(0);
      expect(await page.getByRole('button', { name: hostileName, exact: true }).count()).toBe(1);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      expect(readFileSync(await (await download).path(), 'utf8')).toContain('Nobody is paid');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: '中文' }).click();
      await page.getByRole('heading', { name: '按风险排列的文件' }).waitFor();
      expect(await page.evaluate('globalThis.stolen')).toBeUndefined();
      expect(seen).toEqual({ outside: [], errors: [] });
      await page.context().close();
    },
  );

  it('writes it without a model too, and without secrets', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    repository.write('src/key.ts', `export const key = '${key}';\n`);
    const file = join(home, 'dry.html');
    await galley('review', '--working', '--html', file);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('export const key');
    expect(text).not.toContain(key);
    expect(text).not.toContain('lifetime');
  });
});
