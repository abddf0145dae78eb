// A file of the work tree, read and replaced as a whole. No link is followed, git's own folder is out of reach, and what somebody else
// changed meanwhile is never overwritten.
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { isProjectRelative } from '../../core/model/fragment.js';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';

const maxBytes = 64 * 1024 * 1024;

/** The repository with its work tree, for as long as the work takes. */
export async function inWorkTree<Result>(
  folder: string,
  work: (repository: Repository, topLevel: string) => Promise<Result>,
): Promise<Result> {
  const repository = await openRepository(folder);
  try {
    if (repository.topLevel === undefined)
      throw new GalleyError('NOT_A_REPOSITORY', 'repo: a working tree is needed to change files.', {
        details: { field: 'repo' },
      });
    return await work(repository, repository.topLevel);
  } finally {
    await repository.close();
  }
}

/** Undefined where there is none. */
export async function readTreeFile(topLevel: string, path: string): Promise<Buffer | undefined> {
  const place = await placeOf(topLevel, path);
  const facts = await lstat(place).catch(() => undefined);
  if (facts === undefined) return undefined;
  if (!facts.isFile() || facts.size > maxBytes) throw notPlain();
  return readFile(place).catch((cause: unknown) => {
    throw new GalleyError('FILE_UNREADABLE', 'path: the file cannot be read; check its rights.', {
      details: { field: 'path' },
      cause,
    });
  });
}

/** An `after` of undefined takes the file away. */
export async function replaceTreeFile(
  topLevel: string,
  path: string,
  { before, after }: { readonly before: Buffer | undefined; readonly after: Buffer | undefined },
): Promise<void> {
  const place = await placeOf(topLevel, path);
  const draft = join(dirname(place), `.${basename(place).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    if (after !== undefined) await writeDraft(draft, after, place);
    const now = await readTreeFile(topLevel, path);
    if (now === undefined ? before !== undefined : before === undefined || !now.equals(before))
      throw changedMeanwhile();
    if (after === undefined) await rm(place, { force: true });
    else await rename(draft, place);
  } catch (error) {
    if (isGalleyError(error)) throw error;
    throw new GalleyError('FILE_UNREADABLE', 'path: the file cannot be written; nothing was changed.', {
      details: { field: 'path' },
      cause: error,
    });
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function writeDraft(draft: string, bytes: Buffer, place: string): Promise<void> {
  await mkdir(dirname(draft), { recursive: true });
  const mode = (await lstat(place).catch(() => undefined))?.mode;
  const handle = await open(draft, 'wx', mode === undefined ? 0o666 : mode & 0o777);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Every folder on the way is a folder, not a link to one. */
async function placeOf(topLevel: string, path: string): Promise<string> {
  const steps = path.split('/');
  if (!isProjectRelative(path) || steps.some((step) => /^(?:\.git|git~1|\.|)$/i.test(step))) throw notPlain();
  let place = topLevel;
  for (const [index, step] of steps.entries()) {
    place = join(place, step);
    const facts = await lstat(place).catch(() => undefined);
    const isLast = index === steps.length - 1;
    if (facts?.isSymbolicLink() || (!isLast && facts !== undefined && !facts.isDirectory())) throw notPlain();
  }
  return place;
}

export function changedMeanwhile(): GalleyError {
  return new GalleyError(
    'CHANGED_MEANWHILE',
    'The file is no longer what was reviewed; nothing was changed. Review it again.',
  );
}

const notPlain = () =>
  new GalleyError('INVALID_ARGUMENT', 'path: only plain files of the work tree are changed.', {
    details: { field: 'path' },
  });
