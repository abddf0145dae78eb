// What moved inside lockfiles, in one line a package: the lines themselves are never sent.
import { byCodePoint } from '../../core/model/code-points.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import { readBlobs } from '../../git/objects/tree-files.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { lockfileVersions, type Versions } from './lockfile-versions.js';
import type { Omission } from './omission.js';

export interface DependencyChange {
  readonly path: string;
  readonly package: string;
  /** Absent for a package that is new. */
  readonly from?: string;
  /** Absent for a package that is gone. */
  readonly to?: string;
}

const mostBytes = 32 * 1024 * 1024;

export async function summariseLockfiles(
  repository: Repository,
  entries: readonly ChangeEntry[],
  omitted: readonly Omission[],
): Promise<DependencyChange[]> {
  const locks = new Set(omitted.filter(({ rule }) => rule === 'lockfile').map(({ path }) => path));
  const changes: DependencyChange[] = [];
  for (const entry of entries.filter(({ path, kind }) => locks.has(path) && kind === 'file')) {
    const before = await versionsOf(repository, entry.oldPath ?? entry.path, entry.oldBlob);
    const after = await versionsOf(repository, entry.path, entry.newBlob);
    if (before === undefined || after === undefined) continue;
    changes.push(...differences(entry.path, before, after));
  }
  return changes;
}

export function dependencyLine({ path, package: name, from, to }: DependencyChange): string {
  return `- ${path}: ${name} ${from ?? '(new)'} -> ${to ?? '(gone)'}`;
}

async function versionsOf(
  repository: Repository,
  path: string,
  blob: string | undefined,
): Promise<Versions | undefined> {
  if (blob === undefined) return new Map();
  const answer = (await readBlobs(repository, [blob], { maxBytes: mostBytes })).get(blob);
  return answer?.kind === 'content' ? lockfileVersions(path, answer.bytes.toString('utf8')) : undefined;
}

function differences(path: string, before: Versions, after: Versions): DependencyChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(byCodePoint);
  return names.flatMap((name): DependencyChange[] => {
    const listed = (versions: Versions, other: Versions) =>
      [...(versions.get(name) ?? [])].filter((version) => !other.get(name)?.has(version)).sort(byCodePoint);
    const from = listed(before, after).join(', ');
    const to = listed(after, before).join(', ');
    if (from === '' && to === '') return [];
    return [{ path, package: name, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }];
  });
}
