// One change of a folder's files at a time, over all processes: a file names who is at it. Whoever was killed leaves theirs behind;
// it counts no longer once its process is gone, or once it is older than any change takes.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GalleyError } from '../../core/model/error.js';
import { type Disk, realDisk } from './disk.js';
import { unwritable } from './write-within.js';

export interface LockOwner {
  /** Of this process and this holder, and of nobody else. */
  readonly mark: string;
  isAlive(mark: string): boolean;
}

const longestHold = 30_000;
const patienceMs = 10_000;
const napMs = 10;

let holders = 0;

export function thisProcess(): LockOwner {
  holders += 1;
  const host = hostname();
  return {
    mark: `${process.pid}@${host}#${holders}-${Date.now().toString(36)}`,
    isAlive: (mark) => {
      const [, pid, where] = /^(\d+)@(.*)#/.exec(mark) ?? [];
      // Of another machine only the age tells.
      if (pid === undefined || where !== host) return mark !== '';
      try {
        process.kill(Number(pid), 0);
        return true;
      } catch (error) {
        return (error as { code?: string }).code === 'EPERM';
      }
    },
  };
}

export interface Lock {
  /** Refuses where the lock was taken away because it had been held too long. */
  check(): Promise<void>;
}

export async function withLock<T>(
  place: { readonly path: string; readonly disk: Disk; readonly owner: LockOwner },
  work: (lock: Lock) => Promise<T>,
): Promise<T> {
  const { path, disk, owner } = place;
  const bytes = Buffer.from(owner.mark);
  for (let slept = 0; !(await disk.create(path, bytes)); slept += napMs) {
    if (slept >= patienceMs) throw busy();
    if (!(await isAbandoned(place)) || !(await breakLock(place))) await sleep(napMs);
  }
  try {
    return await work({
      check: async () => {
        if (!(await holds(place))) throw busy();
      },
    });
  } finally {
    if (await holds(place)) await disk.remove(path);
  }
}

type Place = Parameters<typeof withLock>[0];

async function holds({ path, disk, owner }: Place): Promise<boolean> {
  return Buffer.from((await disk.read(path)) ?? []).toString() === owner.mark;
}

async function isAbandoned({ path, disk, owner }: Place): Promise<boolean> {
  const found = await disk.read(path);
  if (found === undefined) return false;
  const age = (await disk.age(path)) ?? 0;
  const mark = Buffer.from(found).toString();
  // Made and not yet signed: its maker is a moment away from it, or dead.
  if (!mark.includes('#')) return age > 1_000;
  return age > longestHold || !owner.isAlive(mark);
}

/** Only one of those who wait breaks it; one that was killed at it leaves a file that is broken likewise. */
async function breakLock(place: Place): Promise<boolean> {
  const { path, disk, owner } = place;
  const breaker = { ...place, path: `${path}.break` };
  if (!(await disk.create(breaker.path, Buffer.from(owner.mark)))) {
    if (await isAbandoned(breaker)) await disk.remove(breaker.path);
    return false;
  }
  try {
    if (await isAbandoned(place)) await disk.remove(path);
    return true;
  } finally {
    await disk.remove(breaker.path);
  }
}

function busy(): GalleyError {
  return new GalleyError('STORE_BUSY', 'Another process is changing the files of this folder; try again.');
}

const lockPath = '.galley/.lock';
const waiting = new Map<string, Promise<unknown>>();
const disk: Disk = {
  ...realDisk,
  create: (path, bytes) =>
    realDisk.create(path, bytes).catch((cause: unknown) => {
      throw unwritable(lockPath, cause);
    }),
};

/** What a writer told is changed in the order in which it was asked for, here and in other processes. */
export function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const place = { path: join(folder, lockPath), disk, owner: thisProcess() };
  const turn = (waiting.get(folder) ?? Promise.resolve()).then(() => withLock(place, work));
  const settled = turn.catch(() => undefined);
  waiting.set(folder, settled);
  void settled.then(() => waiting.get(folder) === settled && waiting.delete(folder));
  return turn;
}
