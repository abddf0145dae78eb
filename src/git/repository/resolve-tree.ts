// The tree behind a revision, or behind a tree of our own snapshots, which the repository itself does not know.
import type { Repository } from './open-repository.js';
import { resolveCommit } from './resolve-commit.js';

export async function resolveTree(repository: Repository, at: string): Promise<string> {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(at)) {
    const [found] = await repository.objects.ask('info', [at]);
    if (found?.type === 'tree') return at;
  }
  return (await resolveCommit(repository, at)).tree;
}
