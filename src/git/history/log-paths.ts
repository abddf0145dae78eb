// Which paths changed together lately? Commits with their changed paths, newest first, merges left out.
import { pathText, splitRecords } from '../process/records.js';
import { streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';
import { resolveCommit } from '../repository/resolve-commit.js';

export interface CommitPaths {
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly committedAt: string;
  readonly paths: readonly string[];
}

export async function logPaths(
  repository: Repository,
  question: { readonly at: string; readonly limit: number; readonly signal?: AbortSignal | undefined },
): Promise<CommitPaths[]> {
  const { id } = await resolveCommit(repository, question.at);
  const limit = `--max-count=${Math.max(0, Math.floor(question.limit))}`;
  const args = [
    'log',
    '-z',
    limit,
    '--no-merges',
    '--no-renames',
    '--raw',
    '--no-abbrev',
    '--format=%H %ct',
    id,
    '--',
  ];
  const commits: { commit: string; committedAt: string; paths: string[] }[] = [];
  let expectPath = false;
  const stream = streamGit(repository.cleanRoom, args, { signal: question.signal });
  for await (const records of splitRecords(stream))
    for (const record of records) {
      const text: string = expectPath ? '' : record.toString('latin1').trimStart();
      const head = /^([0-9a-f]{40,64}) (-?\d+)$/.exec(text);
      if (expectPath) commits.at(-1)?.paths.push(pathText(record));
      expectPath = text.startsWith(':');
      if (head === null) continue;
      commits.push({
        commit: head[1] ?? '',
        committedAt: new Date(Number(head[2]) * 1000).toISOString(),
        paths: [],
      });
    }
  return commits;
}
