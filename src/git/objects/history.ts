// What past commits said and touched, newest first, read from one stream of git.
import { pathText, splitRecords } from '../process/records.js';
import { streamGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';

export interface PastRecord {
  /** Seconds since the epoch. */
  readonly time: number;
  /** Empty unless it was asked for. */
  readonly message: string;
  readonly paths: readonly string[];
}

interface HistoryQuestion {
  /** At most so many commits, merges not among them. */
  readonly commits: number;
  /** Only commits that touched one of these, each with all its paths. */
  readonly touching?: readonly string[];
  readonly messages?: boolean;
  /** Commits that touched more paths come without any. */
  readonly largest?: number;
  readonly signal?: AbortSignal | undefined;
}

export async function readHistory(
  repository: Repository,
  commit: string,
  { commits, touching, messages = false, largest = Number.POSITIVE_INFINITY, signal }: HistoryQuestion,
): Promise<PastRecord[]> {
  const format = `--format=%x01%ct %p${messages ? '%x02%B' : ''}`;
  const flags = ['--no-merges', '--no-renames', '--name-only', '--full-diff', format];
  const paths = touching === undefined ? [] : ['--', ...touching];
  const args = ['log', '-z', `--max-count=${commits}`, ...flags, commit, ...paths];
  const past: { time: number; message: string; paths: string[] }[] = [];
  let isLarge = false;
  for await (const records of splitRecords(streamGit(repository.cleanRoom, args, { signal })))
    for (const record of records) {
      if (record[0] === 1) {
        const [head = '', message = ''] = pathText(record.subarray(1)).split('\u0002', 2);
        const [time, parent = ''] = head.trim().split(' ');
        past.push({ time: Number(time), message, paths: [] });
        // Where a shallow clone ends, git takes every file for new.
        isLarge = repository.shallow && parent === '';
      } else if (!isLarge) {
        const path = pathText(record[0] === 10 ? record.subarray(1) : record);
        const latest = past.at(-1);
        if (path === '' || latest === undefined) continue;
        isLarge = latest.paths.push(path) > largest;
        if (isLarge) latest.paths.length = 0;
      }
    }
  return past;
}
