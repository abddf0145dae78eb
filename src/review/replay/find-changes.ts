// The changes a replay looks at: merged pull requests as their host has them, or what the history of a clone tells of them.
import { resolve } from 'node:path';
import { isGalleyError } from '../../core/model/error.js';
import type { Forge, PullRequest } from '../../forges/forge.js';
import type { MainlineCommit } from '../../git/mainline/mainline.js';
import { readMainline } from '../../git/mainline/mainline.js';
import { borrowHistory } from '../../git/repository/borrow-repository.js';
import { defaultBase } from '../../git/repository/branches.js';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';
import { resolveCommit } from '../../git/repository/resolve-commit.js';
import type { Intent } from '../prompt/intent.js';
import { objectsToBorrow, openClone, type PullContext } from '../pull/open-pull.js';
import { intentOf } from '../pull/pull-change.js';
import { commentPlaces, type Place } from './places.js';
import type { ReplayRequest } from './replay-request.js';

export interface PastChange {
  /** Absent where the history does not tell it. */
  readonly number?: number;
  readonly title: string;
  readonly base: string;
  readonly head: string;
  /** The branch it came onto, newest commit first, and the commit it became there. */
  readonly mainline: readonly MainlineCommit[];
  readonly merged?: string;
  readonly intent?: Intent;
  readonly comments: readonly Place[];
}

export interface PastChanges {
  readonly source: 'host' | 'history';
  readonly repository: Repository;
  readonly folder: string;
  /** Where answers are kept. */
  readonly home: string | undefined;
  /** Newest first. */
  readonly changes: readonly PastChange[];
  close(): Promise<void>;
}

export interface FindContext extends Pick<PullContext, 'folder' | 'signal'> {
  readonly forge?: PullContext['forge'] | undefined;
  onRead?(done: number, total: number): void;
}

const mostCommits = 20_000;

export async function findChanges(request: ReplayRequest, context: FindContext): Promise<PastChanges> {
  const folder = resolve(context.folder, request.repo);
  const forge = request.local ? undefined : await forgeHere(folder, context);
  return forge === undefined
    ? changesInHistory(folder, request.last, context)
    : changesOnHost(forge, { folder, last: request.last }, context);
}

/** Undefined where none is set up: the history is enough. */
async function forgeHere(folder: string, { forge }: FindContext): Promise<Forge | undefined> {
  try {
    return (await forge?.(undefined, folder))?.forge;
  } catch (error) {
    if (isGalleyError(error) && error.code === 'FORGE_NOT_CONFIGURED') return undefined;
    throw error;
  }
}

async function changesInHistory(folder: string, last: number, { signal }: FindContext): Promise<PastChanges> {
  const repository = await openRepository(folder);
  try {
    const tip = await resolveCommit(repository, (await defaultBase(repository)) ?? 'HEAD');
    const mainline = await readMainline(repository, tip.id, { commits: mostCommits, signal });
    const all = mainline.filter(({ parents }) => parents.length > 0);
    const arrivals = all.filter(isArrival);
    // Where nobody merges, every commit is a change of its own.
    const chosen = (arrivals.length > 0 ? arrivals : all).slice(0, last);
    return {
      ...{ source: 'history', repository, folder, home: repository.gitDirectory },
      changes: chosen.map((each) => ({ ...changeOf(each), mainline })),
      close: () => repository.close(),
    };
  } catch (error) {
    await repository.close();
    throw error;
  }
}

const numbered =
  /\((?:#|!)(\d{1,9})\)\s*$|^Merge pull request #(\d{1,9})\b|^Merged? (?:in|PR) .*#(\d{1,9})\b/;

/** Fetching the branch one is on makes a merge, too, and so does bringing an older line up to date. */
const ownBranch =
  /^Merge (?:remote-tracking )?branch '(?:(?:[^'/]+\/)?(?:main|master|trunk|develop|dev|stable|v?\d+(?:\.\w+)+)'(?: of |$)|[^']*' of )/;

/** A merge that brings a branch here, or a commit that says which pull request it was. */
function isArrival({ parents, subject }: MainlineCommit): boolean {
  if (parents.length === 2) return !ownBranch.test(subject);
  return parents.length === 1 && numbered.test(subject);
}

function changeOf({ id, parents, subject, title }: MainlineCommit): Omit<PastChange, 'mainline'> {
  const isMerge = parents.length > 1;
  const [, ...found] = numbered.exec(subject) ?? [];
  const number = found.find((each) => each !== undefined);
  return {
    ...(number === undefined ? {} : { number: Number(number) }),
    title: isMerge && title !== '' ? title : subject,
    base: parents[0]!,
    head: isMerge ? parents[1]! : id,
    merged: id,
    comments: [],
  };
}

async function changesOnHost(
  forge: Forge,
  { folder, last }: { readonly folder: string; readonly last: number },
  { signal, onRead }: FindContext,
): Promise<PastChanges> {
  const merged = (await forge.mergedPulls(last)).filter(({ head }) => head.commit !== '');
  const pulls = merged.toSorted((left, right) => timeOf(right) - timeOf(left));
  const states = [];
  for (const [at, { number }] of pulls.entries()) {
    states.push(await forge.read(number));
    onRead?.(at + 1, pulls.length);
  }
  const clone = await openClone(folder);
  const objects = clone === undefined ? undefined : await objectsToBorrow(clone, folder);
  await clone?.close();
  const branches = [...new Set(pulls.map(({ base }) => base.branch))];
  const borrowed = await borrowHistory({
    ...{ ...forge.git, objects, signal },
    branches: branches.map((branch) => `refs/heads/${branch}`),
    commits: pulls.flatMap(({ number, head, base }) => [
      { commit: head.commit, ref: forge.headRef(number) },
      ...(base.commit === '' ? [] : [{ commit: base.commit, ref: `refs/heads/${base.branch}` }]),
    ]),
  });
  try {
    const repository = await openRepository(borrowed.folder);
    try {
      const lines = new Map<string, MainlineCommit[]>();
      for (const branch of branches) {
        // A branch may be gone by now; then nothing is known of what came later.
        const tip = await resolveCommit(repository, `refs/heads/${branch}`).catch(() => undefined);
        if (tip !== undefined)
          lines.set(branch, await readMainline(repository, tip.id, { commits: mostCommits, signal }));
      }
      return {
        ...{ source: 'host', repository, folder: borrowed.folder, home: clone?.gitDirectory },
        changes: states.map((state) => {
          const { pull } = state;
          const mainline = lines.get(pull.base.branch) ?? [];
          return {
            ...sidesOf(pull, mainline),
            intent: intentOf(pull, []),
            comments: commentPlaces(state),
            mainline,
          };
        }),
        close: async () => {
          await repository.close();
          await borrowed.close();
        },
      };
    } catch (error) {
      await repository.close();
      throw error;
    }
  } catch (error) {
    await borrowed.close();
    throw error;
  }
}

function timeOf({ merged }: PullRequest): number {
  return merged === undefined ? 0 : Date.parse(merged.at);
}

/** What the branch was right before says best what the change stood against; the host's word may be of another time. */
function sidesOf(
  { number, title, base, head, merged }: PullRequest,
  mainline: readonly MainlineCommit[],
): Omit<PastChange, 'mainline' | 'comments'> {
  const found =
    mainline.find(({ id }) => id === merged?.commit) ??
    mainline.find(({ parents }) => parents.length > 1 && parents[1] === head.commit);
  const before = found === undefined || found.id === head.commit ? undefined : found.parents[0];
  return {
    ...{ number, title, base: before ?? base.commit, head: head.commit },
    ...(found === undefined ? {} : { merged: found.id }),
  };
}
