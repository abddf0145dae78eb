// The line of first parents: what a branch was at each time, and what came onto it as one change.
import { readGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';

export interface MainlineCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** Seconds since the epoch. */
  readonly time: number;
  /** First line of the message, as its author wrote it: for a terminal, never for a log. */
  readonly subject: string;
  /** What a merge says below its first line: usually the title of the change. */
  readonly title: string;
}

/** Newest first. */
export async function readMainline(
  repository: Repository,
  tip: string,
  { commits, signal }: { readonly commits: number; readonly signal?: AbortSignal | undefined },
): Promise<MainlineCommit[]> {
  const format = '--format=%H%x00%P%x00%ct%x00%s%x00%b%x00%x00';
  const args = ['log', '--first-parent', `--max-count=${commits}`, format, tip, '--'];
  const { output } = await readGit(repository.cleanRoom, args, { signal });
  return output
    .toString('utf8')
    .split('\0\0\n')
    .filter((record) => record !== '')
    .map((record) => {
      const [id = '', parents = '', time = '0', subject = '', body = ''] = record.split('\0');
      return {
        ...{ id, time: Number(time), subject },
        parents: parents.split(' ').filter((parent) => parent !== ''),
        title: body.trim().split('\n', 1)[0] ?? '',
      };
    });
}
