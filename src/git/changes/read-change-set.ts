// What changed? Every mode comes down to two trees, so that everything after this file is the same for all of them.
import * as z from 'zod';
import { byCodePoint } from '../../core/model/code-points.js';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { defaultBase, findMergeBase } from '../repository/branches.js';
import type { Repository } from '../repository/open-repository.js';
import { emptyTree, readCommit, resolveCommit, resolveHead } from '../repository/resolve-commit.js';
import type { ChangeEntry } from './change-entry.js';
import { type IndexSnapshot, snapshotIndex } from './index-snapshot.js';
import { describeEntries, listEntries } from './list-entries.js';

const revision = z.string().min(1).max(1000);

export const changeRequestSchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('pr'), base: revision.optional(), head: revision.optional() }),
  z.strictObject({ mode: z.literal('staged') }),
  z.strictObject({ mode: z.literal('working') }),
  z.strictObject({ mode: z.literal('commit'), commit: revision.optional() }),
]);

export type ChangeRequest = z.infer<typeof changeRequestSchema>;

export interface ChangeSet {
  readonly mode: ChangeRequest['mode'];
  /** Trees of both sides; usable wherever a revision is, as long as the repository handle is open. */
  readonly oldTree: string;
  readonly newTree: string;
  /** The commit behind the old tree; absent for an empty one. */
  readonly baseCommit?: string;
  /** The commit behind the new tree; HEAD for staged and working. */
  readonly headCommit?: string;
  /** Committer date of the head, ISO 8601 in UTC; absent on a branch without commits. */
  readonly committedAt?: string;
  readonly entries: readonly ChangeEntry[];
  /** Paths of the working tree that git could not read: what changed in them is not known. Folders end in a slash. */
  readonly unread: readonly string[];
  readonly warnings: readonly Warning[];
}

type Sides = Omit<ChangeSet, 'entries' | 'mode' | 'unread'>;

export async function readChangeSet(
  repository: Repository,
  request: ChangeRequest,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ChangeSet> {
  const parsed = changeRequestSchema.safeParse(request);
  if (!parsed.success) throw invalidRequest(parsed.error);
  const { mode } = parsed.data;
  const { signal } = options;
  if (mode === 'staged' || mode === 'working') return readIndexChanges(repository, mode, signal);
  const sides =
    mode === 'pr'
      ? await pullRequestSides(repository, parsed.data, signal)
      : await commitSides(repository, parsed.data.commit ?? 'HEAD');
  const entries = await listEntries(repository, { ...sides, signal });
  return { mode, ...sides, entries, unread: [], warnings: [...sides.warnings, ...missingWarning(entries)] };
}

async function pullRequestSides(
  repository: Repository,
  request: { readonly base?: string | undefined; readonly head?: string | undefined },
  signal: AbortSignal | undefined,
): Promise<Sides> {
  const base = request.base ?? (await defaultBase(repository));
  if (base === undefined)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'base: no base branch was found; name the one to compare with.',
      {
        details: { field: 'base' },
      },
    );
  const headFound = resolveCommit(repository, request.head ?? 'HEAD', 'head');
  // Of two names that mean nothing, the base is the one to hear about.
  headFound.catch(() => {});
  const baseCommit = await resolveCommit(repository, base, 'base');
  const head = await headFound;
  const found = await findMergeBase(repository, { base: baseCommit.id, head: head.id, signal });
  const old = await readCommit(repository, found.commit);
  return {
    oldTree: old.tree,
    newTree: head.tree,
    baseCommit: old.id,
    headCommit: head.id,
    committedAt: head.committedAt,
    warnings: found.warnings,
  };
}

async function commitSides(repository: Repository, revision: string): Promise<Sides> {
  const commit = await resolveCommit(repository, revision, 'commit');
  const [parent] = commit.parents;
  const newSide = {
    newTree: commit.tree,
    headCommit: commit.id,
    committedAt: commit.committedAt,
    warnings: [],
  };
  if (parent === undefined) return { oldTree: await emptyTree(repository), ...newSide };
  const [present] = await repository.objects.ask('info', [parent]);
  if (present === undefined)
    throw new GalleyError(
      'REVISION_NOT_FOUND',
      'commit: its parent is not in this clone; git fetch --deepen=1 brings it.',
      {
        details: { revision: parent, field: 'commit' },
      },
    );
  return { oldTree: (await readCommit(repository, parent)).tree, baseCommit: parent, ...newSide };
}

async function readIndexChanges(
  repository: Repository,
  mode: 'staged' | 'working',
  signal: AbortSignal | undefined,
): Promise<ChangeSet> {
  const found = resolveHead(repository);
  const headTree = found.then(async (head) => head?.tree ?? (await emptyTree(repository)));
  headTree.catch(() => {});
  const of = mode === 'staged' ? 'index' : 'working-tree';
  const snapshot = await snapshotIndex(repository, { of, headTree, signal }).finally(() =>
    headTree.catch(() => {}),
  );
  const [head, oldTree] = [await found, await headTree];
  const { mergedTree: newTree, changed: plain } = snapshot;
  const merged = await listEntries(repository, { oldTree, newTree, plain, signal });
  const entries = await withSpecialEntries(repository, merged, snapshot);
  return {
    mode,
    oldTree,
    newTree: snapshot.tree,
    ...(head === undefined
      ? {}
      : { baseCommit: head.id, headCommit: head.id, committedAt: head.committedAt }),
    entries,
    unread: snapshot.unread,
    warnings: [...snapshot.warnings, ...unmergedWarning(snapshot), ...missingWarning(entries)],
  };
}

/** Unmerged paths and submodules whose own changes no tree can hold. */
async function withSpecialEntries(
  repository: Repository,
  merged: readonly ChangeEntry[],
  snapshot: IndexSnapshot,
): Promise<ChangeEntry[]> {
  const unmerged = await describeEntries(repository, snapshot.unmerged);
  const known = new Set([...merged, ...unmerged].map(({ path }) => path));
  const onlyDirty = [...snapshot.dirtySubmodules.entries()].filter(([path]) => !known.has(path));
  const dirty = onlyDirty.map(
    ([path, commit]): ChangeEntry => ({
      path,
      status: 'modified',
      kind: 'submodule',
      oldMode: '160000',
      newMode: '160000',
      oldBlob: commit,
      newBlob: commit,
      missing: false,
      dirty: true,
    }),
  );
  return [...merged, ...unmerged, ...dirty]
    .map((entry) => (snapshot.dirtySubmodules.has(entry.path) ? { ...entry, dirty: true } : entry))
    .sort((left, right) => byCodePoint(left.path, right.path));
}

function unmergedWarning({ unmerged }: IndexSnapshot): Warning[] {
  if (unmerged.length === 0) return [];
  return [
    {
      code: 'PATHS_UNMERGED',
      message: `${unmerged.length} path(s) are in conflict; resolve them and git add them, or their change is not whole.`,
      details: { total: unmerged.length, paths: unmerged.slice(0, 20).map(({ path }) => path) },
    },
  ];
}

function missingWarning(entries: readonly ChangeEntry[]): Warning[] {
  const paths = entries.filter(({ missing }) => missing).map(({ path }) => path);
  if (paths.length === 0) return [];
  return [
    {
      code: 'CONTENT_NOT_IN_CLONE',
      message: `The content of ${paths.length} changed path(s) is not in this partial clone; they have no patch.`,
      details: { total: paths.length, paths: paths.slice(0, 20) },
    },
  ];
}

function invalidRequest(error: z.ZodError): GalleyError {
  const [issue] = error.issues;
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '');
  return new GalleyError('INVALID_ARGUMENT', `${field || 'request'}: not valid for a change set.`, {
    details: { field: field || 'request' },
  });
}
