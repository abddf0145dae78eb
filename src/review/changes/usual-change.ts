// Which change is meant when nobody says? What the current branch adds to the branch it was cut from, else what is not yet
// committed.
import { defaultBase, findMergeBase } from '../../git/repository/branches.js';
import { lentRepository, type Repository } from '../../git/repository/open-repository.js';
import { resolveCommit, resolveHead } from '../../git/repository/resolve-commit.js';

export type UsualChange = { readonly mode: 'pr'; readonly base: string } | { readonly mode: 'working' };

export async function usualChange(folder: string): Promise<UsualChange> {
  const lent = lentRepository(folder);
  try {
    return await usualChangeOf(await lent.open());
  } finally {
    await lent.close();
  }
}

export async function usualChangeOf(repository: Repository): Promise<UsualChange> {
  const [head, base] = await Promise.all([resolveHead(repository), defaultBase(repository)]);
  if (head === undefined || base === undefined) return { mode: 'working' };
  const other = await resolveCommit(repository, base);
  if (other.id === head.id) return { mode: 'working' };
  const { commit } = await findMergeBase(repository, { base: other.id, head: head.id });
  return commit === head.id ? { mode: 'working' } : { mode: 'pr', base };
}
