// Folders for the time of one call. They go when their call ends, or with the process; what a killed process left behind goes when
// a later one makes its first. The name says whose it is, so that nobody ever removes a folder of a process that still runs.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './process-life.js';

export type TempKind = 'git' | 'pages' | 'agent';

const inUse = new Set<string>();
let hasSwept = false;

export function makeTempFolder(kind: TempKind): string {
  sweepOrphans();
  const folder = mkdtempSync(join(tmpdir(), `galley-${kind}-${machine()}-${process.pid}-`));
  removeAtExit(folder);
  return folder;
}

/** For a folder that somebody else made and that must not outlive the process either. */
export function removeAtExit(folder: string): void {
  if (inUse.size === 0) process.on('exit', removeAll);
  inUse.add(folder);
}

export async function removeTempFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  forget(folder);
}

export function removeTempFolderSync(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  forget(folder);
}

function forget(folder: string): void {
  inUse.delete(folder);
  if (inUse.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of inUse) removeQuietly(folder);
}

function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is somebody else's, or in use; nothing depends on it.
  }
}

function sweepOrphans(): void {
  if (hasSwept) return;
  hasSwept = true;
  const ours = new RegExp(`^galley-(?:git|pages|agent)-${machine()}-(\\d+)-`);
  let names: string[] = [];
  try {
    names = readdirSync(tmpdir());
  } catch {
    // Making a folder there will say what is wrong.
  }
  for (const name of names) {
    const owner = Number(ours.exec(name)?.[1] ?? 0);
    if (owner > 0 && !isRunning(owner)) removeQuietly(join(tmpdir(), name));
  }
}

let known: string | undefined;

/** Where numbers of processes mean the same: one start of one machine, and one container of it. */
export function machine(): string {
  known ??= createHash('sha256')
    .update(
      JSON.stringify([
        hostname(),
        readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
        readOr(() => readlinkSync('/proc/self/ns/pid')),
      ]),
    )
    .digest('hex')
    .slice(0, 12);
  return known;
}

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
