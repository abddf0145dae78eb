// galley open from the command line to the browser: one address that works once, a cookie from then on, nobody else.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeFindings,
  browserProgram,
  launchMortal,
  type OpenProject,
  openProject,
  removeHome,
  sharedBrowser,
  watchPage,
} from './open-page.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-open-'));
let opened: OpenProject;
beforeAll(async () => {
  execFileSync('git', ['init', '-q', folder]);
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  opened = await openProject(folder);
});
afterAll(async () => {
  await opened.end();
  removeHome(opened);
  rmSync(folder, { recursive: true, force: true });
});

const cookieFrom = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const follow = (link: string) => fetch(link, { redirect: 'manual' });
const assemble = (address: string, headers: Record<string, string>) =>
  fetch(`${address}/v1/agents/assemble`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ agentType: 'claude', contextMessages: [], currentMessage: 'Hello' }),
  });

describe('the address of galley open', () => {
  it('lets in once, by a cookie no script can read', async () => {
    const first = await follow(opened.link);
    expect(first.status).toBe(303);
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    const cookie = cookieFrom(first);
    expect((await assemble(opened.address, { cookie })).status).toBe(200);
    const again = await follow(opened.link);
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(again.headers.get('location')).toBe('/#/closed');
  });

  it('refuses whoever comes without the cookie, with another one, or from another page', async () => {
    expect((await assemble(opened.address, {})).status).toBe(401);
    expect((await assemble(opened.address, { cookie: `galley_0=${'a'.repeat(43)}` })).status).toBe(401);
    const other = await openProject(folder, { home: opened.home });
    const cookie = cookieFrom(await follow(other.link));
    expect((await assemble(opened.address, { cookie, origin: 'http://evil.example' })).status).toBe(403);
    expect((await assemble(opened.address, { cookie, origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect(
      (await assemble(opened.address, { cookie: cookie.replace(/=.*/, '=../../page.json') })).status,
    ).toBe(401);
    expect((await fetch(`${opened.address}/page/start`)).status).toBe(401);
    expect((await fetch(`${opened.address}/page/assets/..%2f..%2fpackage.json`)).status).not.toBe(200);
  });

  it('is given by a second galley open in the same folder, which starts no second server', async () => {
    const other = await openProject(folder, { home: opened.home });
    expect(other.address).toBe(opened.address);
    expect(other.child.exitCode ?? (await new Promise((done) => other.child.once('exit', done)))).toBe(0);
  });

  it('names a port that is taken, and what helps is about ports', async () => {
    const { port } = new URL(opened.address);
    const other = mkdtempSync(join(tmpdir(), 'galley-open-'));
    const refused = openProject(other, { args: ['--port', port], home: opened.home });
    await expect(refused).rejects.toThrow(`Port ${port} is taken`);
    await expect(refused).rejects.toThrow('next: galley open --port 0');
    rmSync(other, { recursive: true });
  });

  it('keeps nothing that opens the page where others could read it', () => {
    const pages = join(opened.home, '.local/state/galley/pages');
    const found = execFileSync('find', [pages], { encoding: 'utf8' }).trim().split('\n').slice(1);
    expect(found.length).toBeGreaterThan(3);
    for (const path of found) expect(statSync(path).mode & 0o077).toBe(0);
  });
});

describe.skipIf(browserProgram === undefined)('the page in a browser', () => {
  it('opens, reloads, opens in a second tab and after a restart, and asks nobody else', async () => {
    const first = await openProject(folder, { home: opened.home });
    const context = await (await sharedBrowser()).newContext();
    const page = await context.newPage();
    const seen = watchPage(page, opened.address);
    await page.goto(first.link);
    const brand = page.getByRole('navigation').getByRole('link', { name: 'Review' });
    await brand.waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.reload();
    await brand.waitFor();
    const second = await context.newPage();
    await second.goto(`${opened.address}/#/agents`);
    await second.getByRole('heading', { name: 'Agents' }).waitFor();
    await opened.end();
    await page.reload().catch(() => undefined);
    opened = await openProject(folder, { home: opened.home });
    expect(page.url().startsWith(opened.address) || page.url().startsWith('chrome-error')).toBe(true);
    await page.goto(`${opened.address}/`);
    await brand.waitFor();
    expect(seen.outside).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    await context.close();
  });

  it('says what to do where a browser was not let in', async () => {
    const page = await (await sharedBrowser()).newPage();
    await page.goto(opened.address);
    await page.getByText('galley open').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.context().close();
  });

  it('says that cookies are off, also where the browser claims to take them', async () => {
    const profile = mkdtempSync(join(tmpdir(), 'galley-profile-'));
    const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
    mkdirSync(join(profile, 'Default'));
    writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(settings));
    const { link } = await openProject(folder, { home: opened.home });
    const { page, kill } = await launchMortal(profile);
    await page.goto(link);
    await page.getByText('Cookies are off in this browser').waitFor();
    await kill();
    rmSync(profile, { recursive: true, force: true });
  });
});
