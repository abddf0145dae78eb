// Which changed paths do git's own pathspecs mean? Asked of git itself, with an index of our own that holds those paths and nothing
// else, in an empty work tree of our own; so `:!docs`, `*.ts` and `:(icase)readme` mean what they mean on git's command line.
import { mkdir, realpath, rm } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { pathText, splitRecords } from '../process/records.js';
import { type GitPlace, readGit, streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import type { ChangeSet } from './read-change-set.js';

export interface PathWish {
  readonly pathspecs: readonly string[];
  /** Where relative ones start: a folder of the repository. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** The paths of the change, old ones included, that are meant. */
export async function matchPaths(
  repository: Repository,
  change: Pick<ChangeSet, 'entries' | 'unread'>,
  { pathspecs, folder, signal }: PathWish,
): Promise<ReadonlySet<string>> {
  const workTree = join(repository.cleanRoom.folder, 'pathspecs');
  const index = `${workTree}.index`;
  const start = join(workTree, await prefixOf(repository, folder));
  await mkdir(start, { recursive: true });
  const place: GitPlace = {
    folder: start,
    environment: {
      ...repository.cleanRoom.environment,
      GIT_INDEX_FILE: index,
      GIT_WORK_TREE: workTree,
    },
    settings: ['--no-literal-pathspecs', ...['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false']],
  };
  try {
    const { paths, unnameable } = pathsOf(change);
    await readGit(place, ['update-index', '-z', '--index-info'], {
      input: indexLines(paths, repository.objectFormat),
      signal,
    });
    const meant = new Set(unnameable);
    const listed = streamGit(place, ['ls-files', '-z', '--full-name', '--', ...pathspecs], { signal });
    for await (const records of splitRecords(listed)) for (const path of records) meant.add(pathText(path));
    return meant;
  } catch (error) {
    throw isGalleyError(error) && error.code === 'GIT_FAILED' ? notAPathspec(error) : error;
  } finally {
    await rm(index, { force: true });
  }
}

interface IndexedPath {
  readonly bytes: Buffer;
  /** Of one side no path is a folder of another, so each side has a stage of its own. */
  readonly stage: 1 | 2;
}

/** Git puts no path into an index that leads into a git directory; such a one counts as meant. */
const gitsOwn = /(?:^|\/)(?:\.git|\.\.?)?(?:\/|$)/i;

function pathsOf({ entries, unread }: Pick<ChangeSet, 'entries' | 'unread'>): {
  paths: IndexedPath[];
  unnameable: string[];
} {
  const paths: IndexedPath[] = [];
  const unnameable: string[] = [];
  const add = (path: string, bytes: Buffer | undefined, stage: 1 | 2) => {
    if (gitsOwn.test(path)) unnameable.push(path);
    else paths.push({ bytes: bytes ?? Buffer.from(path), stage });
  };
  for (const { path, rawPath, oldPath, rawOldPath, status } of entries) {
    add(path, rawPath, status === 'deleted' ? 1 : 2);
    if (oldPath !== undefined && oldPath !== path) add(oldPath, rawOldPath, 1);
  }
  // What a folder holds that cannot be opened nobody knows; it may be what is meant.
  for (const path of unread) add(path, undefined, 2);
  return { paths, unnameable };
}

function* indexLines(paths: readonly IndexedPath[], format: 'sha1' | 'sha256'): Generator<Buffer | string> {
  const anyObject = '1'.repeat(format === 'sha1' ? 40 : 64);
  for (const { bytes, stage } of paths) {
    yield `100644 ${anyObject} ${stage}\t`;
    yield bytes;
    yield '\0';
  }
}

/** Empty at the root, and in a bare repository. */
async function prefixOf({ topLevel }: Repository, folder: string): Promise<string> {
  if (topLevel === undefined) return '';
  const inside = relative(await realpath(topLevel), await realpath(folder));
  return isAbsolute(inside) || inside.split(sep)[0] === '..' ? '' : inside;
}

function notAPathspec(cause: unknown): GalleyError {
  return new GalleyError(
    'INVALID_ARGUMENT',
    "paths: git does not understand one of them, or it lies outside the repository; write them as for git diff, for example src or ':!docs'.",
    { details: { field: 'paths' }, cause },
  );
}
