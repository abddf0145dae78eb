// The page of a folder on this machine: who is let in, what the folder is, and how a person gets there.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { galleyVersion } from '../../../core/model/version.js';
import { repositoryPlace } from '../../../git/repository/repository-place.js';
import { readChapters } from '../../../writing/folder/chapter-files.js';
import type { PageDoor, PageStart } from '../../page/page-door.js';
import { type PageHome, pageHome, pagesFolder, recentProjects } from '../../page/page-home.js';
import { exportedStore, isThere, type SharedStore, storePath } from '../../shared-store.js';
import { projectHere } from '../shell/local-context.js';
import { say } from '../terminal/talk.js';
import { word } from '../words/word.js';

export interface LocalPage {
  readonly home: PageHome;
  readonly door: PageDoor;
}

export function localPage(folder: string, store: Pick<SharedStore, 'store'>, named?: string): LocalPage {
  const pages = pagesFolder();
  const home = pageHome(folder, pages);
  return {
    home,
    door: {
      id: home.id,
      cookieName: `galley_${home.id}`,
      redeem: (key) => home.redeem(key, Date.now()),
      knows: (cookie) => home.knows(cookie),
      start: () => startOf(folder, store, { pages, named }),
    },
  };
}

async function startOf(
  folder: string,
  { store }: Pick<SharedStore, 'store'>,
  { pages, named }: { pages: string; named: string | undefined },
): Promise<PageStart> {
  const file = storePath(folder, named);
  const hasStore = isThere(file);
  const [isRepository, recent, { chapters }] = await Promise.all([
    topLevelOf(folder).then((top) => top !== undefined),
    recentProjects(pages),
    readChapters(folder),
  ]);
  const isBegun = existsSync(join(folder, '.galley', 'project.json'));
  const isInside = named === undefined && exportedStore() === undefined;
  return {
    version: galleyVersion,
    name: basename(folder),
    // Asking a store that is not there would make one.
    projectId: hasStore ? await projectHere(store, folder, { isInside }) : basename(folder),
    hasStore,
    isRepository,
    isBook: isBegun || (!isRepository && chapters.length > 0),
    isBegun,
    hasModel: Boolean(process.env.GALLEY_MODEL),
    ...(process.env.GALLEY_MODEL ? { model: process.env.GALLEY_MODEL } : {}),
    recent,
  };
}

/** Undefined where there is no repository. */
export async function topLevelOf(folder: string): Promise<string | undefined> {
  return (await repositoryPlace(folder).catch(() => undefined))?.topLevel;
}

/** Says where the page is, and shows it where there is a screen. */
export async function showPage(
  { home }: Pick<LocalPage, 'home'>,
  { address, view, browser }: { address: string; view: string; browser: boolean },
): Promise<void> {
  const query = view === '' ? '' : `?view=${encodeURIComponent(view)}`;
  const link = `${address}/open/${await home.newKey()}${query}`;
  const { SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const isRemote = Boolean(SSH_CONNECTION);
  if (isRemote) {
    const { port } = new URL(address);
    const command = `ssh -N -L ${port}:127.0.0.1:${port} ${userInfo().username}@${hostname()}`;
    say(`${word('open.forward', { command })}\n`);
  }
  const hasScreen = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
  const isShown = browser && !isRemote && hasScreen && (await opened(link));
  say(`${isShown ? word('open.shown', { address }) : word('open.link', { link })}\n`);
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** False when there is no program that opens addresses. */
function opened(link: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, link], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false)).once('spawn', () => resolve(true));
    child.unref();
  });
}
