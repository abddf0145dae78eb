// More than two hundred strings that would rather be markup, through every text a view draws: nothing runs, nothing is asked for
// elsewhere, nothing is refused by the policy since nothing tries, and no element is made of them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { foundHits, hostilePath, hostileStrings, watchForHits } from './hostile-strings.js';
import {
  browserProgram,
  type OpenOptions,
  type Page,
  sharedBrowser,
  visitProject,
  watchPage,
} from './open-page.js';
import { makeBook, openChapter } from './studio-page.js';

const bin = join(process.cwd(), 'bin/galley.js');
/** So high that a view draws everything it has at once. */
const viewport = { width: 1280, height: 16_000 };
const lines = `${hostileStrings.map((text) => text.replaceAll('\n', ' ')).join('\n')}\n`;
const paths = [...new Set(hostileStrings.map(hostilePath))];
const model = 'anthropic/claude-sonnet-4-5';

const openAll = "for (const each of document.querySelectorAll('details')) each.open = true";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** `look` draws one thing after the other; after each nothing may have been met. */
async function visit(
  folder: string,
  options: OpenOptions,
  look: (page: Page, address: string, nothing: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { context, opened, leave } = await visitProject(folder, { ...options, browsing: { viewport } });
  undo.push(leave);
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const seen = watchPage(page, opened.address);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.addInitScript(watchForHits);
  await look(page, opened.address, async () => {
    const errors = seen.errors.filter((error) => !error.includes('status of 4'));
    expect({ dialogs, outside: seen.outside, errors, hits: await page.evaluate(foundHits) }).toEqual({
      ...{ dialogs: [], outside: [], errors: [], hits: [] },
    });
  });
}

const provider = async (script: Parameters<typeof openLoopback>[0]) => {
  const loopback = await openLoopback(script);
  undo.push(() => loopback.close());
  return { GALLEY_MODEL: model, ANTHROPIC_BASE_URL: loopback.url, ANTHROPIC_API_KEY: 'key' };
};

/** Every string is somewhere on the page, letter by letter or with what hides made visible. */
async function allShown(page: Page, where: string): Promise<void> {
  const text = (await page.locator(where).allTextContents()).join('\n');
  const missing = hostileStrings.filter((each) => /^[\x20-\x7e]*$/.test(each) && !text.includes(each));
  expect(missing).toEqual([]);
}

describe.skipIf(browserProgram === undefined)('text that would rather be markup', () => {
  it('comes in more than two hundred kinds', () => {
    expect(new Set(hostileStrings).size).toBeGreaterThan(200);
  });

  it('stays text in a review: names of files, diff, findings, what is sent, the file that is kept', async () => {
    const repository = scratchRepository();
    undo.push(() => repository.dispose());
    repository.write('a.ts', 'one\n');
    repository.commit('before');
    repository.git('checkout', '-q', '-b', 'topic');
    repository.write('a.ts', lines);
    // Several names on the way to each file: what is drawn is the whole path.
    for (let at = 0; at < paths.length; at += 4)
      repository.write(`names/${paths.slice(at, at + 4).join('/')}.ts`, 'export const a = 1;\n');
    repository.commit('after');
    const findings = hostileStrings.map((text, nth) => ({
      ...{ path: 'a.ts', side: 'new', startLine: nth + 1, endLine: nth + 1, severity: 'high' },
      ...{ category: text.slice(0, 60), confidence: 0.9, title: text.slice(0, 120) },
      ...{ evidence: lines.split('\n')[nth], message: text, remedy: text },
      suggestion: { replacement: text, startLine: nth + 1, endLine: nth + 1 },
    }));
    const env = await provider({ script: { json: { summary: hostileStrings.join('\n'), findings } } });
    await visit(repository.folder, { env }, async (page, address, nothing) => {
      await page.goto(`${address}/#/review?mode=pr&base=main`);
      await page.getByRole('heading', { name: 'Files by risk' }).waitFor();
      await page.getByRole('button', { name: 'a.ts', exact: true }).click();
      await page.locator('.diff tr.added').nth(100).waitFor();
      await nothing();
      await page.getByRole('button', { name: 'Have it reviewed' }).click();
      await page.getByText('Reviewed by').waitFor();
      await page.getByRole('article').nth(100).waitFor();
      await allShown(page, 'article .said-text');
      await nothing();
      await page.goto(`${address}/#/sent?mode=pr&base=main`);
      for (const tab of ['Text', 'Pieces', 'Map']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
        await nothing();
      }
    });
    const file = join(repository.folder, '.git', 'kept.html');
    const keep = ['review', '--base', 'main', '--head', 'topic', '--model', model, '--html', file];
    const home = repository.folder;
    execFileSync(process.execPath, [bin, ...keep], {
      ...{ cwd: repository.folder, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: home, ...env } },
    });
    const page = await (await sharedBrowser()).newPage({ viewport });
    undo.push(() => page.context().close());
    const seen = watchPage(page, pathToFileURL(dirname(file)).href);
    await page.addInitScript(watchForHits);
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('article').nth(100).waitFor();
    await allShown(page, 'article .said-text');
    expect({ ...seen, hits: await page.evaluate(foundHits) }).toEqual({ outside: [], errors: [], hits: [] });
  });

  it('stays text in a book: chapters, their names, cards, drafts, findings, receipts', async () => {
    const cards = Object.fromEntries(
      hostileStrings.map((text, nth) => [
        `codex/${String(nth).padStart(3, '0')}.md`,
        `# ${text.replaceAll('\n', ' ')}\n\n${text}\n\n## Facts\n\n- ${text.replaceAll('\n', ' ')}\n`,
      ]),
    );
    const names = Object.fromEntries(
      paths.filter((path) => !path.includes('/')).map((path) => [`${path}.md`, `# ${path}\n\nText.\n`]),
    );
    const folder = makeBook({
      ...{ '00.md': `# Strings\n\n${lines}`, ...names, ...cards },
      '.galley/constraints.md': `# Constraints\n\n## Style\n\n- No exclamation marks.\n- ${hostileStrings[0]}\n`,
    });
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const env = await provider({ cache: false, script: { text: lines } });
    await visit(folder, { env }, async (page, address, nothing) => {
      await openChapter(page, address, '00.md');
      await page.locator('.manuscript .cm-line').nth(200).waitFor();
      await nothing();
      const panel = (name: string) =>
        page.getByRole('complementary').getByRole('button', { name, exact: true }).click();
      await page.locator('.layer').first().waitFor();
      await page.evaluate(openAll);
      await page.locator('.layer .excerpt').first().waitFor();
      await nothing();
      for (const name of ['Scene', 'Check', 'History', 'Codex']) {
        await panel(name);
        await page.getByRole('heading', { name }).first().waitFor();
        await nothing();
      }
      await page.locator('details.piece').nth(200).waitFor();
      await page.evaluate(openAll);
      await allShown(page, 'details.piece .streamed');
      await nothing();
      await page
        .getByRole('button', { name: /^Edit / })
        .first()
        .click();
      await page.getByRole('form').waitFor();
      await nothing();
      await panel('Write');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('checkbox', { name: /Piece 1/ }).waitFor();
      await allShown(page, 'ins');
      await nothing();
      await page.goto(`${address}/#/sent?document=00.md&skill=continue&cursor=900000`);
      for (const tab of ['Text', 'Pieces', 'Map']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
        await nothing();
      }
      await page.goto(`${address}/#/runs`);
      await page.getByRole('checkbox').first().check();
      await page.getByRole('tab', { name: 'Pieces' }).click();
      await page.getByRole('row').nth(5).waitFor();
      await nothing();
    });
  });

  it('stays text among agents: sessions, tools, messages', async () => {
    const home = mkdtempSync(join(tmpdir(), 'galley-hostile-'));
    undo.push(() => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, 'work');
    const sessions = join(home, '.claude/projects', folder.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder);
    mkdirSync(sessions, { recursive: true });
    const usage = { input_tokens: 900, output_tokens: 9 };
    const told = hostileStrings.flatMap((text, nth) => {
      const call = { type: 'tool_use', id: `t${nth}`, name: text, input: { file_path: join(folder, text) } };
      const result = { type: 'tool_result', tool_use_id: `t${nth}`, content: text.repeat(1 + (nth % 40)) };
      return [
        {
          ...{
            type: 'assistant',
            uuid: `a${nth}`,
            parentUuid: nth === 0 ? null : `u${nth - 1}`,
            version: text,
          },
          message: { id: `m${nth}`, model: text, usage, content: [call, { type: 'text', text }] },
        },
        { type: 'user', uuid: `u${nth}`, parentUuid: `a${nth}`, message: { content: [result] } },
      ];
    });
    writeFileSync(join(sessions, 'bad0.jsonl'), told.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await visit(folder, { home }, async (page, address, nothing) => {
      await page.goto(`${address}/#/agents/session?id=claude:bad0`);
      await page.locator('.heaviest tbody tr').first().waitFor();
      await page.evaluate(openAll);
      await nothing();
      const rooms = (id: string, request: object) =>
        page.request.post(`${address}/v1/agents/rooms/${id}`, {
          ...{ data: { projectId: 'work', room: 'hostile', ...request }, headers: { origin: address } },
        });
      await rooms('create', { task: lines, agents: [{ name: 'max', agentType: 'claude-code' }] });
      for (const content of hostileStrings) await rooms('say', { from: 'ada', content });
      await page.goto(`${address}/#/agents/room?name=hostile`);
      await page.reload();
      await page.locator('.message-of').nth(200).waitFor();
      await allShown(page, '.message-of .text');
      await nothing();
    });
  });
});
