// One change of a folder's files at a time, among all processes: whoever makes the lock file may write. A lock whose process is
// gone is taken away.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GalleyError } from '../../core/model/error.js';
import { unwritable } from './write-within.js';

export const lockPath = '.galley/.lock';

const waitMs = 10_000;
const pauseMs = 5;
/** Of another machine, whose processes cannot be asked, and of one that ended before it could say who it is. */
const abandonedMs = { stranger: 60_000, nobody: 2_000 };

const waiting = new Map<string, Promise<unknown>>();

export function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const turn = (waiting.get(folder) ?? Promise.resolve()).then(() => locked(folder, work));
  const settled = turn.catch(() => undefined);
  waiting.set(folder, settled);
  void settled.then(() => waiting.get(folder) === settled && waiting.delete(folder));
  return turn;
}

async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const place = join(folder, lockPath);
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  await mkdir(dirname(place), { recursive: true }).catch((cause: unknown) => {
    throw unwritable('.galley', cause);
  });
  for (let waited = 0; !(await take(place, own)); waited += pauseMs) {
    if (await isAbandoned(place)) continue;
    if (waited >= waitMs)
      throw new GalleyError('STORE_BUSY', 'Another process is changing the files of this folder; try again.');
    await sleep(pauseMs);
  }
  try {
    return await work();
  } finally {
    await rm(place, { force: true }).catch(() => undefined);
  }
}

async function take(place: string, own: string): Promise<boolean> {
  try {
    const handle = await open(place, 'wx');
    const written = handle.writeFile(own).finally(() => handle.close());
    await written.catch(async (cause: unknown) => {
      await rm(place, { force: true });
      throw cause;
    });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(lockPath, cause);
  }
}

/** Takes an abandoned lock away, and puts back what somebody else took in the meantime. */
async function isAbandoned(place: string): Promise<boolean> {
  const held = await readFile(place, 'utf8').catch(() => undefined);
  if (held === undefined) return true;
  if (await isAlive(held, place)) return false;
  const aside = `${place}.${randomUUID()}`;
  try {
    await rename(place, aside);
    if ((await readFile(aside, 'utf8')) !== held) await link(aside, place).catch(() => undefined);
    await rm(aside, { force: true });
  } catch {
    // Another process was faster.
  }
  return true;
}

async function isAlive(held: string, place: string): Promise<boolean> {
  const { pid, host } = ownerOf(held);
  if (pid === undefined || host !== hostname()) {
    const made = await stat(place).catch(() => undefined);
    const limit = held === '' ? abandonedMs.nobody : abandonedMs.stranger;
    return made !== undefined && Date.now() - made.mtimeMs < limit;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The file is empty for a moment while it is being made. */
function ownerOf(held: string): { pid?: number; host?: string } {
  try {
    const { pid, host } = JSON.parse(held) as { pid?: unknown; host?: unknown };
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : {};
  } catch {
    return {};
  }
}
