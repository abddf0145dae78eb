// Where is the repository of a folder? Git is asked once, and again as soon as anything it goes by has changed: whoever only wants to know
// whether a folder may be read asks this before every call.
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { userEnvironment } from '../process/environment.js';
import { findRepository, type RepositoryFacts, realFolder } from './open-repository.js';

export type RepositoryPlace = Pick<RepositoryFacts, 'topLevel' | 'gitDirectory'>;

interface Known {
  readonly place: RepositoryPlace;
  readonly stamp: string;
}

const known = new LRUCache<string, Known>({ max: 100 });

/** Clocks of file systems tick in steps; what changed this shortly before git was asked may change again without a trace. */
const settledMs = 1000;

export async function repositoryPlace(path: string, now = Date.now): Promise<RepositoryPlace> {
  const folder = await realFolder(path);
  const before = known.get(folder);
  if (before !== undefined && (await stampOf(folder, before.place)).stamp === before.stamp)
    return before.place;
  const asked = now();
  const { topLevel, gitDirectory } = await findRepository({
    ...{ folder, environment: userEnvironment(), settings: [] },
  });
  const place = { topLevel, gitDirectory };
  const { stamp, changedAt } = await stampOf(folder, place);
  if (changedAt < asked - settledMs) known.set(folder, { place, stamp });
  else known.delete(folder);
  return place;
}

/** What git looks at on its way from a folder to its repository, and when any of it changed last. */
async function stampOf(
  folder: string,
  { topLevel, gitDirectory }: RepositoryPlace,
): Promise<{ readonly stamp: string; readonly changedAt: number }> {
  const looked = [
    ...upwards(folder, topLevel ?? gitDirectory).map((each) => join(each, '.git')),
    ...[gitDirectory, join(gitDirectory, 'HEAD'), join(gitDirectory, 'config')],
    join(gitDirectory, 'commondir'),
  ];
  const facts = await Promise.all(looked.map((each) => lstat(each, { bigint: true }).catch(() => undefined)));
  return {
    stamp: facts
      .map((fact) => (fact === undefined ? '' : [fact.dev, fact.ino, fact.ctimeNs, fact.uid].join(' ')))
      .join('\n'),
    changedAt: Math.max(0, ...facts.map((fact) => Number(fact?.ctimeMs ?? 0n))),
  };
}

function upwards(from: string, to: string): string[] {
  const parent = dirname(from);
  return from === to || parent === from ? [from] : [from, ...upwards(parent, to)];
}
