// code:find: a task in words, an issue or a stack trace in; the files it needs and their telling lines out, within a budget. The one
// answer an agent can take instead of twenty searches.
import { resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { snapshotIndex } from '../../git/changes/index-snapshot.js';
import { visitTexts } from '../../git/objects/tree-files.js';
import { streamGit } from '../../git/process/run-git.js';
import { openRepository, type Repository } from '../../git/repository/open-repository.js';
import { emptyTree, resolveCommit, resolveHead } from '../../git/repository/resolve-commit.js';
import type { OpenReviewOptions } from '../change/open-review.js';
import { type FileSide, openFiles } from '../units/changed-file.js';
import type { FindRequest } from './find-request.js';
import { readFindTree } from './find-tree.js';
import { isAtOrBelow, rankTaskFiles, type TaskFile } from './rank-task-files.js';
import { type FoundText, setFound } from './set-found.js';
import { type TaskWords, taskWords, termsIn, wordsIn } from './task-words.js';
import { tellingPieces } from './telling-pieces.js';
import { readToldCommits } from './told-commits.js';

export interface FoundCode extends FoundText {
  readonly files: readonly TaskFile[];
  /** How many files speak for themselves at all. */
  readonly found: number;
  /** Ask with it as `from` for the next files; absent when these were all. */
  readonly next?: number;
  readonly warnings: readonly Warning[];
}

/** Behind these a file is a name with reasons. */
export const openedFiles = 12;

export async function findCode(
  request: FindRequest,
  { folder, signal }: Pick<OpenReviewOptions, 'folder' | 'signal'>,
): Promise<FoundCode> {
  if (request.query.trim() === '')
    throw new GalleyError('INVALID_ARGUMENT', 'There is no task: give words, an issue or a stack trace.', {
      details: { field: 'query' },
    });
  const task = taskWords(request.query);
  const repository = await openRepository(resolve(folder, request.repo));
  const answer = (place: AskedPlace) => answerAt(place, { request, task, repository, signal });
  let begun: Promise<unknown> | undefined;
  // Most often nothing differs from the last commit: its answer is worked out while git looks for changes, and where something does,
  // most of what was read for it is known already.
  const ahead = (head: AskedPlace) => {
    const answering = answer(head);
    begun = answering.catch(() => {});
    return answering;
  };
  try {
    const { place, answered } = await findPlace(repository, request.at, { signal, ahead });
    if (answered !== undefined) return await answered;
    await begun;
    const found = await answer(place);
    return { ...found, warnings: [...place.warnings, ...found.warnings] };
  } finally {
    await begun;
    await repository.close();
  }
}

type AskedPlace = Pick<FindPlace, 'tree' | 'commit'>;

interface Asked {
  readonly request: FindRequest;
  readonly task: TaskWords;
  readonly repository: Repository;
  readonly signal: AbortSignal | undefined;
}

async function answerAt(
  { tree: id, commit }: AskedPlace,
  { request, task, repository, signal }: Asked,
): Promise<FoundCode> {
  const { from, limit, paths: within } = request;
  const room = { budget: request.budget.tokens, meter: request.meter };
  if (task.weights.size === 0 && task.places.length === 0) {
    return {
      files: [],
      found: 0,
      ...(await setFound([], { pieces: [], opened: new Map(), ...room })),
      warnings: [],
    };
  }
  const speaks = (path: string) => speaksOf(path, task);
  const [tree, past] = await Promise.all([
    readFindTree(repository, id, { speaks, signal }),
    commit === undefined ? [] : readToldCommits(repository, commit, signal),
  ]);
  const { found, files: ranked, why, rarity } = rankTaskFiles({ task, tree, past }, { from, limit, within });
  const blobOf = ({ path }: Pick<TaskFile, 'path'>) => tree.blobs.get(path)!;
  const chosen = ranked.slice(0, openedFiles).map((file) => ({ path: file.path, blob: blobOf(file) }));
  const opened = await openKnown(repository, chosen, signal);
  const counted = ranked.filter(({ path }) => tree.words[tree.places.get(path)!] !== undefined);
  const standing = await standingNames(repository, counted.map(blobOf), {
    names: task.identifiers,
    read: new Map([...opened.values()].map(({ blob, text }) => [blob, text])),
    signal,
  });
  const files = ranked.map((file) => ({
    ...file,
    why: why(file.path, standing.get(blobOf(file)) ?? new Set()),
  }));
  const next = from + files.length;
  const isTest = (path: string) => tree.isTest[tree.places.get(path)!]!;
  const pieces = tellingPieces(files, { task, rarity, opened, isTest });
  return {
    files,
    found,
    ...(await setFound(files, { pieces, opened, ...room })),
    ...(next <= found ? { next } : {}),
    warnings: [...tree.warnings, ...unknownPaths(within ?? [], tree.paths)],
  };
}

const known = new LRUCache<string, FileSide>({
  maxSize: 8_000_000,
  sizeCalculation: ({ text }) => text.length + 1,
});

/** Questions in a row are often about the same files: their outlines are kept. */
async function openKnown(
  repository: Repository,
  files: readonly { readonly path: string; readonly blob: string }[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FileSide>> {
  const keyOf = ({ path, blob }: Pick<FileSide, 'path' | 'blob'>) => `${blob} ${path}`;
  const missing = files.filter((file) => !known.has(keyOf(file)));
  const opened = new Map(await openFiles(repository, missing, signal));
  for (const file of files) {
    const side = opened.get(file.path) ?? known.get(keyOf(file));
    if (side !== undefined) opened.set(file.path, side);
  }
  for (const side of opened.values()) known.set(keyOf(side), side);
  return opened;
}

interface NamesLookedFor {
  readonly names: ReadonlySet<string>;
  /** Texts that are there already, by blob. */
  readonly read: ReadonlyMap<string, string>;
  readonly signal: AbortSignal | undefined;
}

/** Which names of the task stand in each blob as they are written. */
async function standingNames(
  repository: Repository,
  blobs: readonly string[],
  { names, read, signal }: NamesLookedFor,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const standing = new Map<string, ReadonlySet<string>>();
  if (names.size === 0) return standing;
  const look = (blob: string, text: string) => {
    const near = new Set([...names].filter((name) => text.includes(name)));
    standing.set(blob, near.size === 0 ? near : new Set(wordsIn(text).filter((word) => near.has(word))));
  };
  const missing = new Set<string>();
  for (const blob of blobs) {
    const text = read.get(blob);
    if (text === undefined) missing.add(blob);
    else look(blob, text);
  }
  await visitTexts(repository, [...missing], {
    signal,
    visit: (blob, bytes) => look(blob, bytes.toString('utf8')),
  });
  return standing;
}

interface FindPlace {
  readonly tree: string;
  /** Whose past may be asked; none before the first commit. */
  readonly commit: string | undefined;
  readonly warnings: readonly Warning[];
}

interface PlaceOptions {
  readonly signal: AbortSignal | undefined;
  /** Begins with the last commit before it is known whether files differ from it. */
  ahead(head: AskedPlace): Promise<FoundCode>;
}

interface PlaceFound {
  readonly place: FindPlace;
  /** What was begun ahead, where it is about this place. */
  readonly answered?: Promise<FoundCode>;
}

/** A commit where one is named; else the files as they lie there, with what nobody committed yet. */
async function findPlace(
  repository: Repository,
  at: string | undefined,
  { signal, ahead }: PlaceOptions,
): Promise<PlaceFound> {
  if (at !== undefined || repository.topLevel === undefined) {
    const { id, tree } = await resolveCommit(repository, at ?? 'HEAD', 'at');
    return { place: { tree, commit: id, warnings: [] } };
  }
  const looking = isClean(repository, signal);
  // Whoever waits for it hears of a failure; until then it must not end the process.
  looking.catch(() => {});
  const head = await resolveHead(repository);
  const place = { tree: head?.tree ?? '', commit: head?.id, warnings: [] };
  const answered = head === undefined ? undefined : ahead(place);
  if ((await looking) && answered !== undefined) return { place, answered };
  const headTree = head?.tree ?? (await emptyTree(repository));
  const { tree, unread } = await snapshotIndex(repository, {
    of: 'working-tree',
    headTree: Promise.resolve(headTree),
    signal,
  });
  return { place: { tree, commit: head?.id, warnings: unreadWarning(unread.length) } };
}

/** Whether the files are those of the last commit; one look is far cheaper than taking them all in. */
async function isClean(repository: Repository, signal: AbortSignal | undefined): Promise<boolean> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all'];
  for await (const _ of streamGit(repository.home, args, { signal })) return false;
  return true;
}

/** Said, or a misspelt path looks like code that speaks of nothing. */
function unknownPaths(within: readonly string[], paths: readonly string[]): Warning[] {
  const unknown = within.filter((above) => !paths.some((path) => isAtOrBelow(path, above)));
  if (unknown.length === 0) return [];
  const message = `No source file lies at or below ${unknown.length} of the ${within.length} paths asked for; they are seen from the top of the repository.`;
  return [
    { code: 'FIND_PATHS_MATCH_NOTHING', message, details: { unknown: unknown.length, paths: within.length } },
  ];
}

function unreadWarning(total: number): Warning[] {
  if (total === 0) return [];
  const message = `${total} path(s) of the working tree could not be read; nothing was looked for there.`;
  return [{ code: 'FIND_PARTIAL', message, details: { left: total } }];
}

function speaksOf(path: string, { weights }: TaskWords): boolean {
  return termsIn(path).some((term) => weights.has(term));
}

/** The text in its parts: the list of files, then each stretch of lines. */
export function foundPieces({ text, receipt }: Pick<FoundCode, 'text' | 'receipt'>): string[] {
  if (text === '') return [];
  const spans = receipt.pages[0]?.parts.flatMap((part) => part.spans) ?? [];
  const starts = spans.filter(({ fragment }) => fragment.startsWith('lines:')).map(({ start }) => start);
  // Spans count bytes.
  const bytes = Buffer.from(text, 'utf8');
  return [0, ...starts].map((start, at) => bytes.toString('utf8', start, starts[at]).trimEnd());
}
