// A pull request and its commits, ready to be reviewed: what its host says of it, what stands on it, and a repository that holds both
// ends of the change. The head is never checked out.
import { resolve } from 'node:path';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { FoundForge } from '../../forges/find-forge.js';
import type { Forge, PullRequest, PullState } from '../../forges/forge.js';
import { readChangeSet } from '../../git/changes/read-change-set.js';
import { type FilePatch, hunkLines } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import { userEnvironment } from '../../git/process/environment.js';
import { askGit, readGit } from '../../git/process/run-git.js';
import { borrowRepository } from '../../git/repository/borrow-repository.js';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';
import { readClone } from '../../git/repository/remotes.js';
import { hashText } from '../../meters/content-hash.js';
import type { PullFields } from './pull-requests.js';
import type { PullStanding } from './pull-standing.js';
import { rightfulStanding } from './rightful-standing.js';

export interface PullContext {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Which month it is. */
  readonly now?: (() => number) | undefined;
  /** Finds host, repository, number and token; doors wire it. */
  forge(asked: string | undefined, folder: string): Promise<FoundForge>;
}

export interface OpenPull {
  readonly forge: Forge;
  readonly number: number;
  readonly state: PullState;
  readonly standing: PullStanding;
}

export async function openPull({ pull, repo, key }: PullFields, context: PullContext): Promise<OpenPull> {
  const folder = resolve(context.folder, repo);
  const found = await context.forge(pull, folder);
  const { forge } = found;
  const number = found.number ?? (await numberOf(found, folder));
  if (number === undefined)
    throw new GalleyError(
      'NOT_FOUND',
      `${forge.title} has no open pull request for this branch; give its number or address.`,
      { details: { field: 'pull' } },
    );
  const state = await forge.read(number);
  return { forge, number, state, standing: await rightfulStanding(forge, state, key) };
}

async function numberOf({ forge, origin }: FoundForge, folder: string): Promise<number | undefined> {
  if (origin !== undefined) {
    const { branch, commit } = origin;
    const named = branch === undefined ? undefined : await forge.pullOf({ name: branch });
    return named ?? forge.pullOf({ commit });
  }
  const { branch } = await readClone(folder);
  return branch === undefined ? undefined : forge.pullOf({ name: branch });
}

export interface PullRepository {
  readonly folder: string;
  /** Where answers are kept: of the clone, not of what was fetched. */
  readonly home: string | undefined;
  close(): Promise<void>;
}

/** The clone at hand if it has both commits, otherwise what is missing is fetched beside it. */
export async function openPullRepository(
  { forge, number, state: { pull }, standing }: OpenPull,
  folder: string,
  signal: AbortSignal,
): Promise<PullRepository> {
  const clone = await cloneAt(folder, pull, signal);
  if (clone?.isWhole === true) return { folder, home: clone.gitDirectory, close: async () => {} };
  const { base, head } = pull;
  const borrowed = await borrowRepository({
    ...forge.git,
    base: { commit: base.commit, ref: `refs/heads/${base.branch}` },
    head: { commit: head.commit, ref: forge.headRef(number) },
    maybe: standing.state === undefined ? [] : [standing.state.head],
    objects: clone?.objects,
    signal,
  });
  return { ...borrowed, home: clone?.gitDirectory };
}

interface Clone {
  readonly isWhole: boolean;
  readonly gitDirectory: string;
  readonly objects: string | undefined;
}

async function cloneAt(folder: string, pull: PullRequest, signal: AbortSignal): Promise<Clone | undefined> {
  const repository = await openClone(folder);
  if (repository === undefined) return undefined;
  try {
    const asked = ['merge-base', pull.base.commit, pull.head.commit];
    const [found, objects] = await Promise.all([
      askGit(repository.cleanRoom, asked, { accept: [1, 128], signal }),
      objectsToBorrow(repository, folder),
    ]);
    return { isWhole: found !== undefined, gitDirectory: repository.gitDirectory, objects };
  } finally {
    await repository.close();
  }
}

/** Undefined where there is no clone. */
export async function openClone(folder: string): Promise<Repository | undefined> {
  return openRepository(folder).catch((error: unknown) => {
    if (isGalleyError(error) && error.code === 'NOT_A_REPOSITORY') return undefined;
    throw error;
  });
}

/** None of a shallow clone: it has gaps that git would take for the whole. */
export async function objectsToBorrow({ shallow }: Repository, folder: string): Promise<string | undefined> {
  if (shallow) return undefined;
  const place = { folder, environment: userEnvironment(), settings: [] };
  return askGit(place, ['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
}

export interface ChangeFacts {
  /** Subjects of its commits, newest first. */
  readonly commits: readonly string[];
  /** Paths whose change is the same as when they were last reviewed. */
  readonly unchanged: readonly string[];
  /** Lines of the change, whole. */
  readonly patches: readonly FilePatch[];
}

const mostCommits = 50;

export async function readPullChange(
  folder: string,
  pull: PullRequest,
  options: { readonly since: string | undefined; readonly signal: AbortSignal },
): Promise<ChangeFacts> {
  const { since, signal } = options;
  const repository = await openRepository(folder);
  try {
    const patchesAt = async (head: string): Promise<FilePatch[]> => {
      const asked = { mode: 'pr', base: pull.base.commit, head } as const;
      const { entries } = await readChangeSet(repository, asked, { signal });
      const patches: FilePatch[] = [];
      for await (const patch of streamPatches(repository, entries, { signal })) patches.push(patch);
      return patches;
    };
    const patches = await patchesAt(pull.head.commit);
    const before =
      since === undefined
        ? []
        : await patchesAt(since).catch((error: unknown) => {
            // After a force push the earlier head may be gone.
            if (isGalleyError(error) && error.code === 'REVISION_NOT_FOUND') return [];
            throw error;
          });
    const seen = signatures(before);
    const args = [
      'log',
      '-z',
      '--no-merges',
      '--format=%s',
      `-${mostCommits}`,
      pull.head.commit,
      `^${pull.base.commit}`,
      '--',
    ];
    const { output } = await readGit(repository.cleanRoom, args, { signal }).catch(() => ({
      output: Buffer.alloc(0),
    }));
    return {
      patches,
      commits: output
        .toString('utf8')
        .split('\0')
        .filter((subject) => subject.trim() !== ''),
      unchanged: [...signatures(patches)]
        .filter(([path, signature]) => seen.get(path) === signature)
        .map(([path]) => path),
    };
  } finally {
    await repository.close();
  }
}

/** By what is added and removed, not by where: a base that was merged in moves lines and is nobody's change. */
function signatures(patches: readonly FilePatch[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { entry, header, hunks, binary } of patches) {
    const lines = hunks.flatMap((hunk) =>
      hunkLines(hunk).flatMap(({ kind, bytes }) =>
        kind === 'context' ? [] : [`${kind === 'added' ? '+' : '-'}${bytes.toString('latin1')}`],
      ),
    );
    const facts = [header.change, header.oldPath.toString('latin1'), header.newMode ?? '', binary];
    const content = binary || hunks.length === 0 ? [entry.newBlob ?? '', entry.oldBlob ?? ''] : lines;
    const earlier = found.get(entry.path) ?? '';
    found.set(entry.path, hashText(JSON.stringify([earlier, ...facts, ...content])));
  }
  return found;
}
