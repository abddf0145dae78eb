// Tasks with the files that settle them: fixes of public repositories, whose message says what was wrong, and issues with the files of
// their fix. Which repositories may teach and which may only be measured stands here; tasks.json keeps the hash of every task, so that
// nobody can choose them anew after seeing a result.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataRoot, gitDirectory } from '../quality/repositories.js';

export const teaching =
  'hono express flask gin gson trpc zod svelte cli ripgrep fmt kysely nitro bat tokio pylint go-zero jackson rubocop'.split(
    ' ',
  );
/** The first six were measured once before the others were chosen; none has ever been learned from. */
export const heldOut =
  'fastify httpx cobra sinatra serde-json mockito vue axios requests grpc-go clap pytest sphinx okhttp laravel django'.split(
    ' ',
  );
const perRepository = 30;

export interface Task {
  readonly kind: 'fix' | 'issue';
  readonly repository: string;
  readonly base: string;
  readonly query: string;
  readonly gold: readonly string[];
  /** The fix itself; issues come without one. */
  readonly commit?: string;
}

export const source = /\.(?:[cm]?[jt]sx?|go|py|java|rs|c|cc|cpp|h|hpp|svelte|vue|rb|php|cs|kt|swift|scala)$/;
export const beside =
  /(?:^|\/)(?:tests?|__tests__|spec|testdata|fixtures?|samples|benchmarks?|bench|examples?|docs?)(?:\/|$)|[._-](?:test|spec)\.|_test\.|test_[^/]*\.py$|Test\.java$|\.d\.ts$/i;
const wrong =
  /\b(?:fix(?:es|ed)?|bug|crash|wrong|incorrect|regression|error|fail(?:s|ed|ing)?|leak|broken|should|panic)\b/i;
const other = /\b(?:typo|docs?|readme|lint|ci|deps?|tests?|bump|release|chore|typing|types?)\b/i;

export const git = (directory: string, ...args: string[]) =>
  execFileSync('git', ['-C', directory, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const listFile = join('bench', 'find', 'tasks.json');

interface TaskList {
  readonly [repository: string]: { readonly head: string; readonly tasks: readonly string[] };
}

export const taskList: TaskList = existsSync(listFile) ? JSON.parse(readFileSync(listFile, 'utf8')) : {};

export function hashOf({ base, query, gold }: Task): string {
  return createHash('sha256')
    .update(JSON.stringify([base, query, gold]))
    .digest('hex')
    .slice(0, 16);
}

/** The listed tasks of a repository; none where there is no copy of it on this machine. */
export function tasksOf(repository: string): Task[] {
  const directory = gitDirectory(repository);
  const listed = taskList[repository];
  if (directory === undefined || listed === undefined) return [];
  const known = new Set(listed.tasks);
  const found = [...fixesIn(repository, directory, listed.head), ...issuesOf(repository)].filter((task) =>
    known.has(hashOf(task)),
  );
  if (found.length !== known.size)
    console.error(`${repository}: ${found.length} of ${known.size} listed tasks are here.`);
  return found;
}

/** Every so many-th of the fixes up to a commit, newest first. */
export function fixesIn(repository: string, directory: string, head: string): Task[] {
  const format = '--format=%x01%H%x02%P%x02%s%x02%b%x02';
  const log = git(directory, 'log', '--no-merges', '-n', '4000', format, '--name-status', head);
  const tasks = log.split('\u0001').flatMap((record): Task[] => {
    const [commit = '', base = '', subject = '', body = '', names = ''] = record.split('\u0002');
    if (base === '' || base.includes(' ') || !wrong.test(subject) || other.test(subject)) return [];
    const touched = names
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    const isSource = (path = '') => source.test(path) && !beside.test(path);
    const gold = touched
      .filter(([kind, path]) => kind === 'M' && isSource(path))
      .map(([, path = '']) => path);
    const moved = touched.some(([kind, ...paths]) => kind !== 'M' && isSource(paths.at(-1)));
    if (gold.length < 1 || gold.length > 3 || moved || touched.length > 12) return [];
    const told = body.replace(/^(?:co-authored-by|signed-off-by|reviewed-by|pr-url|cc)\b.*$/gim, '').trim();
    const query = `${subject.replace(/^\w+(?:\([^)]*\))?!?:\s*/, '')}\n${told}`.trim().slice(0, 4_000);
    return query.length < 25 ? [] : [{ kind: 'fix', repository, base, query, gold, commit }];
  });
  const step = Math.max(1, Math.floor(tasks.length / perRepository));
  return tasks.filter((_, index) => index % step === 0).slice(0, perRepository);
}

const issueNames: Record<string, string> = {
  'cli/cli': 'cli',
  'sveltejs/svelte': 'svelte',
  'fmtlib/fmt': 'fmt',
  'pallets/flask': 'flask',
  'google/gson': 'gson',
  'expressjs/express': 'express',
  'BurntSushi/ripgrep': 'ripgrep',
  'langchain-ai/langchain': 'langchain',
};

export function issuesOf(repository: string): Task[] {
  const file = join(dataRoot, 'tasks.jsonl');
  if (!existsSync(file)) return [];
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows
    .map((row) => JSON.parse(row) as { repo: string; base: string; query: string; gold: string[] })
    .filter(({ repo }) => issueNames[repo] === repository)
    .map(({ base, query, gold }) => ({ kind: 'issue', repository, base, query, gold }));
}
