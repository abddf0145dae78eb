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

export async function borrowRepository(needs: BorrowNeeds): Promise<BorrowedRepository> {
  const folder = makeTempFolder('git');
  try {
    await mkdir(join(folder, 'objects', 'info'), { recursive: true });
    await mkdir(join(folder, 'refs'));
    await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
    const objectFormat = needs.head.commit.length === 64 ? 'sha256' : 'sha1';
    await writeFile(join(folder, 'config'), config(objectFormat));
    if (needs.objects !== undefined)
      await writeFile(join(folder, 'objects', 'info', 'alternates'), `${needs.objects}\n`);
    await fetchBoth(placeOf(folder, needs), needs);
    return { folder, close: () => removeTempFolder(folder) };
  } catch (error) {
    await removeTempFolder(folder);
    throw error;
  }
}

function placeOf(folder: string, { url, header }: BorrowNeeds): GitPlace {
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
  const fetch = (flags: readonly string[], specs: readonly string[]) => {
    const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
    return readGit(place, ['fetch', ...quiet, ...flags, needs.url, ...specs], { signal });
  };
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
    const flags = borrows ? [] : ['--depth=200'];
    await fetch(flags, [`+${commit}:refs/galley/maybe-${at}`]).catch((error: unknown) => {
      if (isGalleyError(error) && error.code === 'CANCELLED') throw error;
    });
  }
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
