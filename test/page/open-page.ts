// The page as a person meets it: the built program serving a folder, a real browser in front of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';

const bin = join(process.cwd(), 'bin/galley.js');
const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const browserProgram = process.env.GALLEY_BROWSER ?? programs.find((path) => existsSync(path));
if (browserProgram === undefined) console.warn('page tests: skipped, no Chromium was found');

const quietly = [
  '--no-sandbox',
  // Containers often have next to no shared memory.
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A wait ends with what it waits for; how busy the machine is says nothing about the page. */
const patience = 120_000;

let shared: Promise<Browser> | undefined;

/** One for all files that share a process, ended with it: whoever opens a window in it closes that one. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= chromium
    .launch({ executablePath: browserProgram ?? '', args: quietly, timeout: patience })
    .then((browser) => browser.on('context', (context) => context.setDefaultTimeout(patience)));
  return shared;
}

interface Mortal {
  readonly page: Page;
  readonly context: BrowserContext;
  kill(): Promise<void>;
}

/** A browser whose process can be killed at any moment; what it kept is in the folder. */
export async function launchMortal(profile: string): Promise<Mortal> {
  // After a kill, a browser now and then takes a connection and answers nothing on it: that one is ended, and another one begun.
  for (let left = 4; ; left -= 1) {
    const { address, kill } = await startMortal(profile);
    try {
      const browser = await chromium.connectOverCDP(address, { timeout: 30_000 });
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('the browser has no window');
      context.setDefaultTimeout(patience);
      return { context, page: await context.newPage(), kill };
    } catch (error) {
      await kill();
      if (left === 0) throw error;
    }
  }
}

async function startMortal(profile: string): Promise<{ readonly address: string; kill(): Promise<void> }> {
  const args = [...quietly, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(browserProgram ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      const found = /listening on (ws:\S+)\s/.exec(said);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    void gone.then(() => reject(new Error(`the browser ended: ${said}`)));
  });
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    await gone;
  };
  return { address, kill };
}

export interface OpenProject {
  readonly child: ChildProcess;
  /** Works once. */
  readonly link: string;
  readonly address: string;
  readonly home: string;
  said(): string;
  /** Ends as a person ends it. */
  end(): Promise<number | null>;
}

export interface OpenOptions {
  readonly args?: readonly string[];
  /** A command that lands on the page; `open` unless told. */
  readonly command?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Where the page remembers its visitors; a new one unless told. */
  readonly home?: string;
}

/** Runs `galley open` in the folder until the address is printed. */
export async function openProject(
  folder: string,
  {
    args = [],
    command = 'open',
    env = {},
    home = mkdtempSync(join(tmpdir(), 'galley-page-home-')),
  }: OpenOptions = {},
): Promise<OpenProject> {
  const child = spawn(
    process.execPath,
    [bin, command, ...(command === 'open' ? ['--no-browser'] : []), ...args],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  let said = '';
  const link = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      const found = /(http:\/\/127\.0\.0\.1:\d+\/open\/\S+)\n/.exec(said);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    void ended.then(() => reject(new Error(`galley open ended: ${said}`)));
  });
  return {
    ...{ child, link, home, address: new URL(link).origin, said: () => said },
    end: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

export interface Visit {
  readonly context: BrowserContext;
  /** Where the address led. */
  readonly page: Page;
  readonly opened: OpenProject;
  readonly seen: ReturnType<typeof watchPage>;
  leave(): Promise<void>;
}

/** The folder served, and a browser that was let in. */
export async function visitProject(
  folder: string,
  { browsing = {}, ...options }: OpenOptions & { readonly browsing?: BrowserContextOptions } = {},
): Promise<Visit> {
  const opened = await openProject(folder, options);
  const context = await (await sharedBrowser()).newContext(browsing);
  const page = await context.newPage();
  const seen = watchPage(page, opened.address);
  await page.goto(opened.link);
  await page.getByRole('navigation').first().waitFor();
  return {
    ...{ context, page, opened, seen },
    leave: async () => {
      await context.close();
      await opened.end();
      if (options.home === undefined) removeHome(opened);
    },
  };
}

export function removeHome({ home }: Pick<OpenProject, 'home'>): void {
  rmSync(home, { recursive: true, force: true });
}

/** Until an expression is true on the page; asked from outside, since the page itself may evaluate nothing. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate(expression)).toBe(true);
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds against WCAG 2 AA: the rule and the first place of each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // Evaluated, not added as a script: the page's own policy would rightly refuse it.
  await page.evaluate(readFileSync(axe, 'utf8'));
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window.
    const { violations } = await (globalThis as any).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
    });
    return violations.map(
      (violation: { id: string; nodes: { html: string }[] }) =>
        `${violation.id}: ${violation.nodes[0]?.html.slice(0, 200)}`,
    );
  });
}

/** Everything the page asked for that is not this server, and every error it met. */
export function watchPage(
  page: Page,
  address: string,
): { readonly outside: string[]; readonly errors: string[] } {
  const seen = { outside: [] as string[], errors: [] as string[] };
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${address}/`) && !url.startsWith('data:')) seen.outside.push(url);
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  return seen;
}

export type { BrowserContext, Page };
