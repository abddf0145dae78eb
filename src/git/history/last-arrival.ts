// What came last to the branch one stands on? The newest merge of its own line, or the newest commit where nobody merges lately.
import { readGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { resolveHead } from '../repository/resolve-commit.js';

export interface Arrival {
  readonly id: string;
  readonly isMerge: boolean;
  /** The first line of the message, as its author wrote it: for a terminal, never for a log. */
  readonly subject: string;
}

/** Where changes are squashed, the last merge may be years back; what is older than this is no news. */
const mostCommits = 20;

/** Undefined without a commit, and where a shallow clone hides what the commit changed. */
export async function lastArrival(
  repository: Repository,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Arrival | undefined> {
  const head = await resolveHead(repository);
  if (head === undefined) return undefined;
  const args = ['rev-list', '--first-parent', '--parents', `--max-count=${mostCommits}`, head.id, '--'];
  const { output } = await readGit(repository.cleanRoom, args, { signal });
  const commits = output
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '));
  const merge = commits.find(([, ...parents]) => parents.length > 1);
  const [id = head.id, ...parents] = merge ?? commits[0] ?? [];
  if (parents.length === 0 && repository.shallow) return undefined;
  return { id, isMerge: merge !== undefined, subject: await subjectOf(repository, id) };
}

async function subjectOf(repository: Repository, id: string): Promise<string> {
  const [found] = await repository.objects.ask('contents', [id]);
  const text = found?.bytes?.toString('utf8') ?? '';
  const start = text.indexOf('\n\n');
  const [first = ''] = start < 0 ? [] : text.slice(start).trim().split('\n', 1);
  return first.trim();
}
