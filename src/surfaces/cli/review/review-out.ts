// Pages into a folder, one file each, as they are set. The folder appears, or is replaced, only when all of it is there.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import type { PageSet } from '../../../review/pages/page-set.js';
import { removeAtExit, removeTempFolder } from '../../../temp/temp-folder.js';

const inFlight = 4;
const ours = /^(page-\d+\.md|receipt\.json)$/;
/** Pages are no part of the change that the next review looks at. */
const ignoreAll = '*\n';

export async function writePages(set: PageSet, folder: string): Promise<number[]> {
  const target = resolve(folder);
  const before = await readdir(target).catch(() => undefined);
  if (await holdsOthers(target, before ?? []))
    throw new GalleyError(
      'ALREADY_EXISTS',
      '--out: the folder holds files that are not pages of a review; name a new or empty one.',
      { details: { field: 'out' } },
    );
  const staging = await stage(target);
  const writing: Promise<void>[] = [];
  try {
    const tokens: number[] = [];
    const digits = Math.max(3, String(set.total).length);
    for await (const chunk of set.chunks()) {
      tokens.push(chunk.tokens);
      const name = `page-${String(chunk.index).padStart(digits, '0')}.md`;
      const written = writeFile(join(staging, name), chunk.text);
      // It may fail while another one is waited for; its turn comes.
      written.catch(() => {});
      writing.push(written);
      if (writing.length >= inFlight) await writing.shift();
    }
    await Promise.all(writing);
    const { omitted, coverage, warnings } = set;
    const record = { coverage, omitted, warnings, receipt: set.receipt() };
    await writeFile(join(staging, 'receipt.json'), `${JSON.stringify(record)}\n`);
    await writeFile(join(staging, '.gitignore'), ignoreAll);
    await replace(target, staging, before !== undefined);
    return tokens;
  } finally {
    await Promise.allSettled(writing);
    await removeTempFolder(staging);
  }
}

async function holdsOthers(folder: string, names: readonly string[]): Promise<boolean> {
  const others = names.filter((name) => !ours.test(name));
  if (others.length === 0) return false;
  if (others.length > 1 || others[0] !== '.gitignore') return true;
  return (await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')) !== ignoreAll;
}

async function stage(target: string): Promise<string> {
  try {
    await mkdir(dirname(target), { recursive: true });
    const staging = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
    removeAtExit(staging);
    return staging;
  } catch (cause) {
    throw unwritable(cause);
  }
}

async function replace(target: string, staging: string, exists: boolean): Promise<void> {
  const old = `${staging}-old`;
  try {
    if (exists) await rename(target, old);
    await rename(staging, target);
  } catch (cause) {
    if (exists) await rename(old, target).catch(() => undefined);
    throw unwritable(cause);
  }
  if (exists) await rm(old, { recursive: true, force: true });
}

function unwritable(cause: unknown): GalleyError {
  return new GalleyError('FILE_UNREADABLE', '--out: the folder cannot be written; choose another.', {
    details: { field: 'out' },
    cause,
  });
}
