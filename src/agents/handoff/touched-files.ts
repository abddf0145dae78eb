// What became of the files that a session touched, since it began: the diff of each against the last commit before.
import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { isGalleyError } from '../../core/model/error.js';
import { patchFlags } from '../../git/patch/stream-patches.js';
import { readGit } from '../../git/process/run-git.js';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';

export interface TouchedFile {
  /** Seen from the top of the repository, or from the folder where there is none. */
  readonly path: string;
  /** Empty where nothing differs, or nobody can say. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

interface TouchedOptions {
  readonly folder: string;
  readonly startedAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const maxFiles = 500;

/** Those touched last, where there are too many. What lies outside the folder is nobody's business here. */
export async function touchedFiles(
  named: readonly string[],
  options: TouchedOptions,
): Promise<TouchedFile[]> {
  const real = realOf(options.folder);
  const inside = [
    ...new Set(named.map((path) => relative(real, realOf(isAbsolute(path) ? path : join(real, path))))),
  ]
    .filter((path) => path !== '' && !path.startsWith('..'))
    .slice(-maxFiles)
    .sort();
  if (inside.length === 0) return [];
  const repository = await openRepository(real).catch((error: unknown) => {
    if (isGalleyError(error) && error.code === 'NOT_A_REPOSITORY') return undefined;
    throw error;
  });
  const bare = inside.map((path) => ({ path, diff: '', added: 0, removed: 0 }));
  if (repository === undefined) return bare;
  try {
    return await diffsOf(repository, inside, { ...options, folder: real });
  } finally {
    await repository.close();
  }
}

async function diffsOf(
  { home, topLevel }: Repository,
  inside: readonly string[],
  { folder, startedAt, signal }: TouchedOptions,
): Promise<TouchedFile[]> {
  const ask = async (args: readonly string[], accept: readonly number[] = []) =>
    (await readGit(home, args, { signal, accept })).output.toString('utf8');
  const before = startedAt === undefined ? [] : [`--before=${new Date(startedAt).toISOString()}`];
  // A repository without a commit has none.
  const base = (await ask(['rev-list', '-1', ...before, 'HEAD', '--'], [128])).trim();
  const files: TouchedFile[] = [];
  for (const own of inside) {
    const path = topLevel === undefined ? own : relative(topLevel, join(folder, own));
    const isTracked = (await ask(['ls-files', '--', path])).trim() !== '';
    const diff =
      base !== '' && isTracked
        ? await ask(['diff', ...patchFlags, base, '--', path])
        : await ask(['diff', '--no-index', ...patchFlags, '--', '/dev/null', path], [1, 128]);
    const count = (mark: RegExp) => diff.match(mark)?.length ?? 0;
    files.push({ path, diff: diff.trimEnd(), added: count(/^\+(?!\+\+ )/gm), removed: count(/^-(?!-- )/gm) });
  }
  return files;
}

/** A file that is gone is judged by its name. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
