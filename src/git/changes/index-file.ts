// Which index is meant? The repository's own, or the one git hands its hooks while it makes a commit (`commit -a`, `commit -o`):
// that one lies in the same git directory. Any other name in the environment belongs to somebody else's work.
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Repository } from '../repository/open-repository.js';

export async function indexFile(
  { gitDirectory, topLevel }: Pick<Repository, 'gitDirectory' | 'topLevel'>,
  from: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const own = join(gitDirectory, 'index');
  const named = from.GIT_INDEX_FILE;
  if (named === undefined || named === '') return own;
  const file = await realpath(resolve(topLevel ?? gitDirectory, named)).catch(() => undefined);
  const home = await realpath(gitDirectory).catch(() => undefined);
  return file !== undefined && dirname(file) === home ? file : own;
}
