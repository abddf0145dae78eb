// The agents view as a person meets it: sessions as the real CLIs wrote them, rooms with agents that speak, fail, hang and are
// refused, by mouse, by keys alone, narrow, dark and in Chinese; and text that would rather be markup.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FakeAgent,
  installFakeAgent,
  livingProcesses,
} from '../../src/testing/fake-agent/install-fake-agent.js';
import {
  axeFindings,
  type BrowserContext,
  browserProgram,
  type OpenProject,
  openProject,
  type Page,
  sharedBrowser,
  watchPage,
} from './open-page.js';

const home = mkdtempSync(join(tmpdir(), 'galley-agents-'));
const folder = join(home, 'rates');
const sessionFolder = `.claude/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}`;
const markup = '<img src=https://evil.example/x onerror=document.title="out">';

function put(path: string, text: string, seconds: number): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
  utimesSync(join(home, path), seconds, seconds);
}
function fixture(name: string): string {
  const file = new URL(`../../src/agents/sessions/fixtures/${name}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8').replaceAll('/home/ada/rates', folder);
}
const jsonLines = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Names that a session file may hold, since models choose them. */
function hostileSession(): string {
  const base = { timestamp: '2026-11-16T17:00:00.000Z', version: markup, cwd: folder };
  const usage = { input_tokens: 900, output_tokens: 9 };
  const call = { type: 'tool_use', id: 't', name: markup, input: { file_path: `${folder}/"><script>x` } };
  const result = { type: 'tool_result', tool_use_id: 't', content: markup.repeat(20) };
  return jsonLines([
    { type: 'user', uuid: 'u1', parentUuid: null, ...base, message: { content: markup } },
    {
      ...{ type: 'assistant', uuid: 'a1', parentUuid: 'u1', ...base },
      message: { id: 'm1', model: markup, usage, content: [call] },
    },
    { type: 'user', uuid: 'u2', parentUuid: 'a1', ...base, message: { content: [result] } },
    {
      ...{ type: 'assistant', uuid: 'a2', parentUuid: 'u2', ...base },
      message: { id: 'm2', model: markup, usage, content: [{ type: 'text', text: markup }] },
    },
  ]);
}

const fakes: Record<string, FakeAgent> = {};
let opened: OpenProject;
beforeAll(async () => {
  mkdirSync(folder);
  put(`${sessionFolder}/e7a1.jsonl`, fixture('claude'), 1_700_000_020);
  put(`${sessionFolder}/f8b2.jsonl`, fixture('claude-compacted'), 1_700_000_010);
  put(`${sessionFolder}/bad0.jsonl`, hostileSession(), 1_700_000_003);
  const day = '.codex/sessions/2026/11/16';
  put(
    `${day}/rollout-2026-11-16T17-20-15-01a1e55f-aef2-70e3-bf6d-5f48d336fa09.jsonl`,
    fixture('codex'),
    1_700_000_005,
  );
  mkdirSync(join(home, 'bin'));
  const behaviours = { claude: 'tools', codex: 'grandchild-hang', gemini: 'api-401' };
  const env: NodeJS.ProcessEnv = {};
  for (const [cli, behaviour] of Object.entries(behaviours)) {
    const fake = installFakeAgent(join(home, 'bin'), cli, behaviour);
    fakes[cli] = fake;
    env[`GALLEY_${cli.toUpperCase()}`] = fake.command;
  }
  opened = await openProject(folder, { home, env });
});
afterAll(async () => {
  await opened.end();
  rmSync(home, { recursive: true, force: true });
});

describe.skipIf(browserProgram === undefined)('the agents view', () => {
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;
  beforeAll(async () => {
    context = await (await sharedBrowser()).newContext();
    const first = await context.newPage();
    await first.goto(opened.link);
    await first.getByRole('navigation').first().waitFor();
    await first.close();
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    page = await context.newPage();
    seen = watchPage(page, opened.address);
  });
  afterEach(async () => {
    expect(seen.outside).toEqual([]);
    await page.close();
  });
  const visit = (place: string) => page.goto(`${opened.address}/#/${place}`);
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const rooms = async (id: string, request: object) => {
    const answer = await page.request.post(`${opened.address}/v1/agents/rooms/${id}`, {
      data: { projectId: 'rates', ...request },
      headers: { origin: opened.address },
    });
    return answer.json();
  };
  /** Made through the same door as the page's own. */
  const makeRoom = async (room: string, agentType = 'claude-code') => {
    await visit('agents');
    await page.getByText('New room').waitFor();
    await rooms('create', { room, agents: [{ name: 'max', agentType }] });
    await visit(`agents/room?name=${room}`);
    await page.reload();
    await page.getByRole('heading', { name: room }).waitFor();
  };

  describe('a session', () => {
    it('is listed newest first, and shows its head to scale and in numbers', async () => {
      await visit('agents');
      const entries = page.getByRole('navigation', { name: 'Sessions and rooms' }).getByRole('link');
      await entries.first().waitFor();
      expect((await entries.locator('code').allTextContents()).slice(0, 4)).toEqual([
        'e7a1',
        'f8b2',
        '01a1e55f',
        'bad0',
      ]);
      await entries.first().click();
      await page.getByText('7 requests, 79 % of what they read was cached').waitFor();
      await row('claude-sonnet-4-5').filter({ hasText: '221,089' }).filter({ hasText: '174,481' }).waitFor();
      await row('before the messages').filter({ hasText: 'not in the file' }).waitFor();
      const whole = (await page.locator('.window').boundingBox())?.width ?? 0;
      const shares = await page.locator('.window .fill').all();
      expect(shares.length).toBeGreaterThan(2);
      for (const share of shares) {
        const title = (await share.getAttribute('title')) ?? '';
        const tokens = Number(title.replace(/.*: /, '').replaceAll(',', ''));
        const width = (await share.boundingBox())?.width ?? 0;
        // What is too small to be seen is a pixel wide.
        expect(Math.abs(width - (tokens / 200_000) * whole), title).toBeLessThan(2.5);
      }
      expect(await page.locator('.heaviest tbody tr').count()).toBe(10);
      expect(seen.errors).toEqual([]);
    });

    it('has its compactions on the line of requests, and what broke the prefix', async () => {
      await visit('agents/session?id=claude:f8b2');
      await row('on request').filter({ hasText: '32,163' }).filter({ hasText: '4,473' }).waitFor();
      expect(await page.locator('.line .compaction').count()).toBe(1);
      expect(await page.locator('.line g').nth(2).locator('.compaction, .break').count()).toBe(2);
      await page.getByText('All listed requests as a table (3)').click();
      await row('30,933').filter({ hasText: 'compaction' }).waitFor();
    });

    it('is walked by keys alone, request by request', async () => {
      await visit('agents');
      const first = page.getByRole('link', { name: /e7a1/ });
      await first.waitFor();
      await first.focus();
      await page.keyboard.press('Enter');
      const line = page.getByRole('group', { name: /Requests, one after the other/ });
      const said = page.getByRole('region', { name: 'Requests, one after the other' }).getByRole('paragraph');
      await line.waitFor();
      for (let pressed = 0; pressed < 40; pressed += 1) {
        if ((await page.locator('.line:focus').count()) === 1) break;
        await page.keyboard.press('Tab');
      }
      await said.getByText(/^Request 7 .*cache broke: not in the file$/).waitFor();
      await page.keyboard.press('ArrowLeft');
      await said.getByText(/^Request 6 /).waitFor();
      await page.keyboard.press('Home');
      await said.getByText(/^Request 1 /).waitFor();
      await page.keyboard.press('ArrowLeft');
      await said.getByText(/^Request 1 /).waitFor();
    });

    it('that goes on is read again without being asked', async () => {
      put(`${sessionFolder}/abcd.jsonl`, fixture('claude-compacted'), 1_700_000_001);
      await page.clock.install();
      await visit('agents/session?id=claude:abcd');
      await page.getByText('3 requests,').waitFor();
      const usage = { input_tokens: 5, cache_read_input_tokens: 30_000, output_tokens: 1 };
      const message = {
        id: 'new',
        model: 'claude-sonnet-4-5',
        usage,
        content: [{ type: 'text', text: '.' }],
      };
      appendFileSync(
        join(home, sessionFolder, 'abcd.jsonl'),
        jsonLines([{ type: 'assistant', uuid: 'n', parentUuid: null, message }]),
      );
      await page.clock.runFor(11_000);
      await page.getByText('4 requests,').waitFor();
      rmSync(join(home, sessionFolder, 'abcd.jsonl'));
    });

    it('that is not there is refused in the words of the server', async () => {
      await visit('agents/session?id=claude:ffff');
      await page.getByRole('alert').filter({ hasText: 'NOT_FOUND' }).waitFor();
    });

    it('is where galley agent inspect --open lands; one that is not there is refused before', async () => {
      const inspect = (session: string) =>
        spawnSync(
          process.execPath,
          [join(process.cwd(), 'bin/galley.js'), 'agent', 'inspect', session, '--open'],
          {
            cwd: folder,
            env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C' },
            encoding: 'utf8',
          },
        );
      const { stderr, status } = inspect('claude:f8');
      expect(status).toBe(0);
      const other = await (await sharedBrowser()).newContext();
      const shown = await other.newPage();
      await shown.goto(/http:\/\/127\S+/.exec(stderr)?.[0] ?? '');
      await shown.getByText('3 requests,').waitFor();
      expect(shown.url()).toBe(`${opened.address}/#/agents/session?id=claude:f8`);
      await other.close();
      const refused = inspect('claude:ffff');
      expect(refused.status).not.toBe(0);
      expect(refused.stderr).not.toContain('http://');
    });
  });

  describe('a room', () => {
    it('is opened, spoken in and answered by keys alone; deeds and refusals are told', async () => {
      await visit('agents');
      await page.getByText('New room').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type('login');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Design the login');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'login' }).waitFor();
      await page.getByLabel('Message', { exact: true }).focus();
      await page.keyboard.type('@max What do you suggest?');
      await page.keyboard.press('Control+Enter');
      const log = page.getByRole('log');
      await log.getByText('Hello wörld 你好 😀').waitFor();
      await log.getByText('@max What do you suggest?').waitFor();
      const turn = page.getByRole('region', { name: 'This turn' });
      await turn.getByText('17 tokens in, 7 out · $0.25').waitFor();
      expect(await turn.getByRole('listitem').allTextContents()).toEqual([
        expect.stringContaining('may only read'),
        'Write refused.txt refused',
        expect.stringMatching(/^Write later\.txt refused/),
        'Write later.txt done',
        'created later.txt',
        expect.stringContaining('failed'),
      ]);
      expect(fakes.claude?.call().stdin).toContain('What do you suggest?');
      expect(seen.errors).toEqual([]);
    });

    it('shows an agent that speaks as it speaks, and cancels it to the last process', async () => {
      await makeRoom('hanging', 'openai-codex');
      await rooms('say', { room: 'hanging', from: 'ada', content: 'And you?' });
      await page.getByLabel('Next to speak').selectOption('max');
      await page.getByRole('button', { name: 'Let speak' }).click();
      const turn = page.getByRole('region', { name: 'This turn' });
      await turn.getByText('max is at work …').waitFor();
      await turn.getByText('Hello wörld').waitFor();
      // Looking elsewhere does not end it.
      await page.getByRole('link', { name: /e7a1/ }).click();
      await page.getByText('7 requests,').waitFor();
      await page.getByRole('link', { name: /hanging/ }).click();
      await page.getByRole('button', { name: 'Let speak' }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Let speak' }).isDisabled()).toBe(true);
      const group = fakes.codex?.call().pid ?? 0;
      expect(livingProcesses(group).length).toBeGreaterThan(0);
      await turn.getByRole('button', { name: 'Cancel' }).click();
      await turn.getByText('Cancelled.').waitFor();
      await page.getByRole('log').getByText('the turn of max was cancelled').waitFor();
      expect(livingProcesses(group)).toEqual([]);
    });

    it('tells a turn that failed as it failed, and the room has a line of it', async () => {
      await makeRoom('failing', 'google-gemini');
      await rooms('say', { room: 'failing', from: 'ada', content: 'Anybody?' });
      // The only one is meant, unless somebody says otherwise.
      expect(await page.getByLabel('Next to speak').inputValue()).toBe('max');
      await page.getByLabel('Next to speak').selectOption('');
      await page.getByRole('button', { name: 'Let speak' }).click();
      await page.getByRole('alert').filter({ hasText: 'INVALID_ARGUMENT' }).waitFor();
      await page.getByLabel('Next to speak').selectOption('max');
      await page.getByRole('button', { name: 'Let speak' }).click();
      await page.getByRole('alert').filter({ hasText: 'MODEL_' }).waitFor();
      await page
        .getByRole('log')
        .getByText(/^max did not answer \(MODEL_/)
        .waitFor();
    });

    it('is made shorter and long again, and closed', async () => {
      await makeRoom('long');
      for (const [content, pinned] of [
        ['One', false],
        ['Two', true],
        ['Three', false],
      ] as const)
        await rooms('say', { room: 'long', from: 'ada', content, pinned });
      await page.reload();
      const log = page.getByRole('log');
      await log.getByRole('listitem').filter({ hasText: 'Two' }).getByText('pinned').waitFor();
      await page.getByText('Make it shorter').click();
      await page.getByLabel('How many of the newest messages stay').fill('0');
      await page.getByLabel('Written by').selectOption({ label: 'me, in these words' });
      await page.getByLabel('Summary').fill('Numbers were said.');
      await page.getByRole('button', { name: 'Put the summary in their place' }).click();
      await log.getByText('summary of 1 to 3').waitFor();
      expect(await log.getByText('in summary 4').count()).toBe(2);
      await log.getByRole('button', { name: 'Take back summary 4' }).click();
      await log.getByText('messages 1 to 3 are sent again').waitFor();
      expect(await log.getByText('in summary 4').count()).toBe(0);
      await page.getByRole('button', { name: 'Close the room' }).click();
      await page.getByRole('button', { name: 'Close it' }).click();
      await log.getByText('the room was closed').waitFor();
      expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0);
    });

    it('shows what others say in it meanwhile', async () => {
      await makeRoom('shared');
      await rooms('say', { room: 'shared', from: 'grace', content: 'I am here too.' });
      await page.getByRole('log').getByText('I am here too.').waitFor();
    });
  });

  it('markup in sessions and messages stays text, and nothing leaves', async () => {
    await visit('agents/session?id=claude:bad0');
    await row(markup).filter({ hasText: '"><script>x' }).first().waitFor();
    await makeRoom('hostile');
    await rooms('say', {
      room: 'hostile',
      from: 'ada',
      content: `${markup}\n<script>document.title='out'</script>`,
    });
    await rooms('say', { room: 'hostile', from: 'ada', content: [{ type: 'file', path: markup }] });
    await page.reload();
    await page.getByRole('log').getByText(markup).nth(1).waitFor();
    expect(await page.locator('main img, main script, main a[href*=evil]').count()).toBe(0);
    expect(await page.title()).not.toBe('out');
    expect(seen.errors).toEqual([]);
  });

  it('fits 390 pixels, and has no finding of axe in light and dark, in English and Chinese', async () => {
    await makeRoom('narrow');
    await rooms('say', { room: 'narrow', from: 'ada', content: 'A'.repeat(300), pinned: true });
    await rooms('say', { room: 'narrow', from: 'ada', content: 'Be brief.', role: 'system' });
    for (const [language, colorScheme] of [
      ['en', 'light'],
      ['zh', 'dark'],
    ] as const)
      for (const place of ['agents', 'agents/session?id=claude:f8b2', 'agents/room?name=narrow']) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(
          colorScheme === 'dark' ? { width: 390, height: 800 } : { width: 1200, height: 800 },
        );
        await visit(place);
        await page.evaluate(`localStorage.setItem('galley.language', '${language}')`);
        await page.reload();
        const there = place === 'agents' ? '.entries a' : place.includes('room') ? '.message-of' : '.line';
        await page.locator(there).first().waitFor();
        for (const details of await page.locator('details:not([open]) > summary').all())
          if (await details.isVisible()) await details.click();
        expect(await axeFindings(page), `${place} ${language} ${colorScheme}`).toEqual([]);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(wide, place).toBeLessThanOrEqual(0);
      }
    await page.evaluate(`localStorage.removeItem('galley.language')`);
  });
});
