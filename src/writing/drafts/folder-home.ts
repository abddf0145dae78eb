// Drafts and history of a folder: `.galley/drafts/<name>.md`, states of chapters under `.galley/history/objects`, and a log of what was
// done to them. A chapter is replaced by a file beside it that was flushed before.
import { randomUUID } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { isChapterPath } from '../folder/chapter-files.js';
import { type Disk, realDisk } from '../folder/disk.js';
import { type Lock, type LockOwner, thisProcess, withLock } from '../folder/folder-lock.js';
import { readWithin, unreadable } from '../folder/read-within.js';
import { fileText, hashBytes } from './chapter-text.js';
import type { Draft } from './draft.js';
import { readDraft, writeDraft } from './draft-file.js';
import { changedMeanwhile, type DraftHome, stateLost } from './home.js';
import { readLog } from './steps.js';

const largestChapter = 16 * 1024 * 1024;

export interface FolderPorts {
  readonly disk: Disk;
  readonly owner: LockOwner;
}

export function folderHome(
  folder: string,
  { disk, owner }: FolderPorts = { disk: realDisk, owner: thisProcess() },
): DraftHome {
  const place = (...parts: string[]) => join(folder, '.galley', ...parts);
  const logFile = place('history', 'log.jsonl');
  let lock: Lock | undefined;
  return {
    exclusively: (work) =>
      named('.galley/history', () =>
        withLock({ path: place('history', 'lock'), disk, owner }, async (held) => {
          lock = held;
          try {
            return await work();
          } finally {
            lock = undefined;
          }
        }),
      ),
    readChapter: (path) => readChapter(folder, path),
    writeChapter: (path, bytes, was) =>
      named(path, async () => {
        const { target, mode } = await writableChapter(folder, path);
        const beside = join(dirname(target), `.${basename(target)}.galley-new`);
        try {
          await disk.write(beside, bytes, mode);
          await lock?.check();
          const now = await readChapter(folder, path);
          if ((now === undefined ? undefined : hashBytes(now)) !== was) throw changedMeanwhile(path);
          await disk.rename(beside, target);
        } catch (error) {
          await disk.remove(beside).catch(() => undefined);
          throw error;
        }
      }),
    textOf: fileText,
    keep: (bytes) =>
      named('.galley/history', async () => {
        const hash = hashBytes(bytes);
        const path = objectPath(hash);
        const known = await disk.read(place(...path));
        // A file that was cut off has another hash than its name.
        if (known !== undefined && hashBytes(known) === hash) return hash;
        const beside = place(...path.slice(0, -1), `${hash}.new`);
        await disk.write(beside, bytes);
        await disk.rename(beside, place(...path));
        return hash;
      }),
    kept: (hash) =>
      named('.galley/history', async () => {
        const bytes = await disk.read(place(...objectPath(hash)));
        if (bytes === undefined || hashBytes(bytes) !== hash) throw stateLost(hash);
        return bytes;
      }),
    log: () => named('.galley/history', async () => readLog(linesOf(await disk.read(logFile)))),
    note: (entry) =>
      named('.galley/history', async () => {
        const known = await disk.read(logFile);
        // Behind a line that was cut off a new one begins.
        const gap = known === undefined || known.length === 0 || known.at(-1) === 0x0a ? '' : '\n';
        await disk.append(logFile, Buffer.from(`${gap}${JSON.stringify(entry)}\n`));
      }),
    drafts: () =>
      named('.galley/drafts', async () => {
        const drafts = await readDrafts(disk, place('drafts'));
        const { renames } = readLog(linesOf(await disk.read(logFile)));
        return renames.size === 0
          ? drafts
          : Promise.all(drafts.map((draft) => renamedDraft(folder, draft, renames)));
      }),
    putDraft: (draft) =>
      named('.galley/drafts', async () => {
        const path = place('drafts', `${draft.name}.md`);
        const beside = place('drafts', `.${draft.name}.new`);
        await disk.write(beside, Buffer.from(writeDraft(draft)));
        await disk.rename(beside, path);
      }),
    newId: () => randomUUID(),
  };
}

const objectPath = (hash: string) => ['history', 'objects', hash];

function linesOf(bytes: Uint8Array | undefined): unknown[] {
  const lines = Buffer.from(bytes ?? [])
    .toString('utf8')
    .split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}

async function readDrafts(disk: Disk, folder: string) {
  const names = (await disk.list(folder)).filter((name) => /^[^.].*\.md$/u.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const bytes = await disk.read(join(folder, name));
      const text = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
      return readDraft(text, name.slice(0, -'.md'.length));
    }),
  );
  return found.flatMap((draft) => draft ?? []).sort((left, right) => left.number - right.number);
}

/** A draft of a chapter that is gone is one of the chapter it became. */
async function renamedDraft(
  folder: string,
  draft: Draft,
  renames: ReadonlyMap<string, string>,
): Promise<Draft> {
  const now = renames.get(draft.documentId);
  const isGone = now !== undefined && (await readChapter(folder, draft.documentId)) === undefined;
  return isGone ? { ...draft, documentId: now } : draft;
}

async function readChapter(folder: string, path: string): Promise<Uint8Array | undefined> {
  try {
    await lstat(await placeOf(folder, path));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
  await refuseLinks(folder, path);
  return readWithin(folder, path, { mostBytes: largestChapter });
}

async function writableChapter(
  folder: string,
  path: string,
): Promise<{ target: string; mode: number | undefined }> {
  const target = await placeOf(folder, path);
  const known = await lstat(target).catch(() => undefined);
  if (known !== undefined) await refuseLinks(folder, path);
  return { target, mode: known === undefined ? undefined : known.mode & 0o777 };
}

async function placeOf(folder: string, path: string): Promise<string> {
  if (!isChapterPath(path) || path.split('/').includes('..'))
    throw new GalleyError('INVALID_ARGUMENT', 'documentId: must be a chapter of the folder.', {
      details: { field: 'documentId' },
    });
  return join(folder, path);
}

/** A chapter is the file of that name and nothing elsewhere. */
async function refuseLinks(folder: string, path: string): Promise<void> {
  const root = await realpath(folder);
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real === undefined || real.normalize('NFC') !== join(root, ...path.split('/')).normalize('NFC')) {
    throw unreadable(path.split(sep).join('/'), 'it is a link; put the file or folder itself here');
  }
}

/** Refusals of the system name the file, not the place of the folder. */
async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isGalleyError(error) || !isSystemError(error)) throw error;
    const why = error.code === 'ENOSPC' ? 'the disk is full' : `the system refused it (${error.code})`;
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      `${path} cannot be written: ${why}; the chapter is as it was.`,
      {
        details: { path },
        cause: error,
      },
    );
  }
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
}
