// Where did two lines of history part? One answer, always the same, and a warning where the history has several or hides it.
import { byCodePoint } from '../../core/model/code-point-order.js';
import { GalleyError } from '../../core/model/error.js';
import type { Warning } from '../../core/model/warning.js';
import { readGit } from '../process/run-git.js';
import type { Repository } from './open-repository.js';

export interface MergeBase {
  readonly commit: string;
  readonly warnings: readonly Warning[];
}

export async function findMergeBase(
  repository: Repository,
  sides: { readonly base: string; readonly head: string; readonly signal?: AbortSignal | undefined },
): Promise<MergeBase> {
  const args = ['merge-base', '--all', sides.base, sides.head];
  const { output } = await readGit(repository.cleanRoom, args, { accept: [1], signal: sides.signal });
  const commits = output.toString('latin1').split('\n').filter(Boolean).sort(byCodePoint);
  const [first] = commits;
  if (first === undefined) return withoutMergeBase(repository, sides.base);
  if (commits.length === 1) return { commit: first, warnings: [] };
  const warning: Warning = {
    code: 'MERGE_BASE_AMBIGUOUS',
    message: `The branches were merged crosswise and have ${commits.length} merge bases; the first by name is used.`,
    details: { used: first, candidates: commits },
  };
  return { commit: first, warnings: [warning] };
}

function withoutMergeBase(repository: Repository, base: string): MergeBase {
  if (!repository.shallow)
    throw new GalleyError('NO_MERGE_BASE', 'Base and head share no history; choose a base they grew from.');
  const warning: Warning = {
    code: 'SHALLOW_NO_MERGE_BASE',
    message:
      'This shallow clone does not reach the merge base; base and head are compared directly. Fetch more history for an exact review.',
  };
  return { commit: base, warnings: [warning] };
}
