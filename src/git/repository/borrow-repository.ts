// Commits of a pull request without a checkout: a bare repository of our own for the time of one call, which fetches what is missing
// and borrows what a clone at hand has. Nothing is written into that clone, and none of its settings, hooks or remotes count.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import { makeTempFolder, removeTempFolder } from '../../temp/temp-folder.js';
import { sealedEnvironment } from '../process/environment.js';
import { askGit, type GitPlace, readGit } from '../process/run-git.js';

export interface BorrowNeeds {
  /** Where to fetch from; http or https. */
  readonly url: string;
  /** Sent to that address only, and never on a command line. */
  readonly header?: string | undefined;
  /** Two commits, and the names under which the host keeps them, in case it hands out nothing by its id. */
  readonly base: Wanted;
  readonly head: Wanted;
  /** Further ones that help and may be gone, such as the head that was reviewed before. */
  readonly maybe?: readonly string[];
  /** The object folder of a clone that is whole. */
  readonly objects?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Wanted {
  readonly commit: string;
  readonly ref: string;
}

export interface BorrowedRepository {
  readonly folder: string;
  close(): Promise<void>;
}

/** Most pull requests left their base not long ago; the whole history comes only where that does not reach. */
const depths = ['--depth=200', '--depth=2000', '--unshallow'] as const;

const config = (objectFormat: string) => `[core]
	repositoryFormatVersion = 1
	bare = true
[extensions]
	objectFormat = ${objectFormat}
[gc]
	auto = 0
[fetch]
	recurseSubmodules = false
[http]
	followRedirects = false
	lowSpeedLimit = 1
	lowSpeedTime = 60
[protocol]
	version = 2
`;

export function borrowRepository(needs: BorrowNeeds): Promise<BorrowedRepository> {
  return borrowed(needs, needs.head.commit, (place) => fetchBoth(place, needs));
}

export interface HistoryNeeds extends Pick<BorrowNeeds, 'url' | 'header' | 'objects' | 'signal'> {
  /** Full names of branches, fetched as they are now. */
  readonly branches: readonly string[];
  /** Commits, and the names under which the host keeps them. Those it no longer has are left out. */
  readonly commits: readonly Wanted[];
}

/** Branches with their history, and many commits beside them, in as few calls as the host allows. */
export function borrowHistory(needs: HistoryNeeds): Promise<BorrowedRepository> {
  return borrowed(needs, needs.commits[0]?.commit ?? '', (place) => fetchHistory(place, needs));
}

async function borrowed(
  needs: Pick<BorrowNeeds, 'url' | 'header' | 'objects'>,
  commit: string,
  fill: (place: GitPlace) => Promise<void>,
): Promise<BorrowedRepository> {
  const folder = makeTempFolder('git');
  try {
    await mkdir(join(folder, 'objects', 'info'), { recursive: true });
    await mkdir(join(folder, 'refs'));
    await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(folder, 'config'), config(commit.length === 64 ? 'sha256' : 'sha1'));
    if (needs.objects !== undefined)
      await writeFile(join(folder, 'objects', 'info', 'alternates'), `${needs.objects}\n`);
    await fill(placeOf(folder, needs));
    return { folder, close: () => removeTempFolder(folder) };
  } catch (error) {
    await removeTempFolder(folder);
    throw error;
  }
}

function placeOf(folder: string, { url, header }: Pick<BorrowNeeds, 'url' | 'header'>): GitPlace {
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'];
  const network = [...proxies, 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'];
  const environment = sealedEnvironment(folder, {
    ...Object.fromEntries(network.flatMap((name) => (process.env[name] ? [[name, process.env[name]!]] : []))),
    GIT_ALLOW_PROTOCOL: 'https:http',
    ...(header === undefined
      ? {}
      : {
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
          GIT_CONFIG_VALUE_0: header,
        }),
  });
  return { folder, environment, settings: [] };
}

async function fetchBoth(place: GitPlace, needs: BorrowNeeds): Promise<void> {
  const { base, head, signal, maybe = [] } = needs;
  const borrows = needs.objects !== undefined;
  const fetch = (flags: readonly string[], specs: readonly string[]) => fetchInto(place, needs, flags, specs);
  const named = (wanted: readonly string[]) => wanted.map((name, at) => `+${name}:refs/galley/${at}`);
  const byId = [base.commit, head.commit];
  for (const depth of borrows ? [undefined] : depths) {
    const flags = depth === undefined ? [] : [depth];
    await fetch(flags, named(byId)).catch(async (error: unknown) => {
      if (!isGalleyError(error) || error.code === 'CANCELLED') throw error;
      // A host may give out names only; the names must still be at these commits.
      await fetch(flags, named([base.ref, head.ref])).catch((cause: unknown) => {
        throw notFetched(cause);
      });
    });
    if (await hasMergeBase(place, byId, signal)) break;
  }
  for (const [at, commit] of maybe.entries()) {
    const spec = `+${commit}:refs/galley/maybe-${at}`;
    await fetch(borrows ? [] : ['--depth=200'], [spec]).catch(unlessCancelled);
  }
}

function fetchInto(
  place: GitPlace,
  { url, signal }: Pick<BorrowNeeds, 'url' | 'signal'>,
  depth: readonly string[],
  specs: readonly string[],
): Promise<unknown> {
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
  return readGit(place, ['fetch', ...flags, ...depth, url, ...specs], { signal });
}

function unlessCancelled(error: unknown): void {
  if (isGalleyError(error) && error.code === 'CANCELLED') throw error;
}

async function fetchHistory(place: GitPlace, needs: HistoryNeeds): Promise<void> {
  const { branches, commits, signal } = needs;
  const depth = needs.objects === undefined ? ['--depth=2000'] : [];
  const tried = (specs: readonly string[]): Promise<unknown> =>
    fetchInto(place, needs, depth, specs).then(
      () => undefined,
      (error: unknown) => {
        unlessCancelled(error);
        return error;
      },
    );
  const names = branches.map((name) => `+${name}:${name}`);
  const failure = await tried(names);
  if (failure !== undefined) {
    // A branch that is gone spoils the call for all.
    const each: unknown[] = [];
    for (const name of names) each.push(await tried([name]));
    if (!each.includes(undefined)) throw notFetched(failure);
  }
  const isHere = async ({ commit }: Wanted) =>
    (await askGit(place, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], {
      accept: [1, 128],
      signal,
    })) !== undefined;
  const missing: Wanted[] = [];
  for (const wanted of commits) if (!(await isHere(wanted))) missing.push(wanted);
  if (missing.length === 0) return;
  const isFetched = async (wanted: readonly Wanted[], by: keyof Wanted) =>
    (await tried(wanted.map((each) => `+${each[by]}:refs/galley/${each.commit}`))) === undefined;
  if ((await isFetched(missing, 'commit')) || (await isFetched(missing, 'ref'))) return;
  for (const wanted of missing) (await isFetched([wanted], 'commit')) || (await isFetched([wanted], 'ref'));
}

async function hasMergeBase(
  place: GitPlace,
  commits: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const found = await askGit(place, ['merge-base', ...commits], { accept: [1, 128], signal });
  return found !== undefined;
}

function notFetched(cause: unknown): GalleyError {
  return new GalleyError(
    'FORGE_UNAVAILABLE',
    'The commits of the pull request cannot be fetched; check that the token may read the repository, and run it again.',
    { details: { reason: 'fetch' }, cause },
  );
}
