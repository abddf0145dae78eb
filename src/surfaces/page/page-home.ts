// What the page of a project remembers between runs: its port, and the digests of keys that open it once and of cookies that keep
// it open. It lies in the user's own state folder, for nobody else to read; who reads it cannot open the page with it.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';

export interface PageHome {
  /** Of the folder; it names the project to other processes and says nothing about where it is. */
  readonly id: string;
  /** The port of the last time; of a project that was never opened one that follows from its folder. */
  port(): Promise<number>;
  remember(port: number, now: number): Promise<void>;
  /** A new key; whoever brings it first gets a cookie. */
  newKey(): Promise<string>;
  /** A cookie for a key that was never used and is not old. */
  redeem(key: string, now: number): Promise<string | undefined>;
  knows(cookie: string): boolean;
}

export interface RecentProject {
  readonly name: string;
  /** As a person writes it, from the home folder on. */
  readonly folder: string;
  readonly openedAt: number;
}

const record = z.object({ folder: z.string(), port: z.number().int(), openedAt: z.number() });

/** Long enough for a forwarded port and a slow browser. */
const keyLifeMs = 10 * 60_000;
const secretForm = /^[\w-]{43}$/;
/** Below the ports that systems hand out by themselves. */
const firstPort = 17_400;
const portCount = 10_000;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const newSecret = () => randomBytes(32).toString('base64url');

export function pagesFolder(env: NodeJS.ProcessEnv = process.env): string {
  const state = env.XDG_STATE_HOME || join(env.HOME ?? homedir(), '.local', 'state');
  return join(state, 'galley', 'pages');
}

export function pageHome(folder: string, pages: string): PageHome {
  const id = digestOf(folder).slice(0, 16);
  const home = join(pages, id);
  const file = join(home, 'page.json');
  const place = (kind: 'keys' | 'cookies', secret: string) => join(home, kind, digestOf(secret));
  const keep = async (kind: 'keys' | 'cookies', secret: string) => {
    await mkdir(join(home, kind), { recursive: true, mode: 0o700 });
    await writeFile(place(kind, secret), '', { mode: 0o600, flag: 'wx' });
  };
  return {
    id,
    port: async () =>
      (await readRecord(file))?.port ?? firstPort + (Number.parseInt(id.slice(0, 8), 16) % portCount),
    remember: async (port, now) => {
      await mkdir(home, { recursive: true, mode: 0o700 });
      const written = `${file}.${process.pid}`;
      await writeFile(written, JSON.stringify({ folder, port, openedAt: now }), { mode: 0o600 });
      await rename(written, file);
    },
    newKey: async () => {
      const key = newSecret();
      await keep('keys', key);
      return key;
    },
    redeem: async (key, now) => {
      if (!secretForm.test(key)) return undefined;
      const used = place('keys', key);
      const made = await stat(used).catch(() => undefined);
      // Two who bring the same key: the file goes once.
      const isFirst = await rm(used).then(
        () => true,
        () => false,
      );
      if (made === undefined || !isFirst || now - made.mtimeMs > keyLifeMs) return undefined;
      const cookie = newSecret();
      await keep('cookies', cookie);
      return cookie;
    },
    knows: (cookie) => secretForm.test(cookie) && existsSync(place('cookies', cookie)),
  };
}

/** Newest first; folders that are gone are not named. */
export async function recentProjects(pages: string, home = homedir()): Promise<readonly RecentProject[]> {
  const ids = await readdir(pages).catch(() => []);
  const records = await Promise.all(ids.map((id) => readRecord(join(pages, id, 'page.json'))));
  return records
    .filter((found) => found !== undefined && existsSync(found.folder))
    .map((found) => ({
      name: basename(found?.folder ?? ''),
      folder: fromHome(found?.folder ?? '', home),
      openedAt: found?.openedAt ?? 0,
    }))
    .sort((a, b) => b.openedAt - a.openedAt);
}

const fromHome = (folder: string, home: string) =>
  folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;

async function readRecord(file: string): Promise<z.output<typeof record> | undefined> {
  try {
    return record.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Never opened, or written by a version that meant something else: the page begins anew.
    return undefined;
  }
}
