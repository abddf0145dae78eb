// What a forge knows, and what happens when a branch moves: pull requests follow, and remarks follow their lines or lose them. That is
// the same everywhere.
import { GalleyError } from '../../../core/model/error.js';
import type { BareRepository } from './bare-repository.js';
import { type DiffFile, followLine, hunkUpTo, lineInDiff, readDiff } from './diff.js';
import type { CheckRun, Comment, Issue, Pull, Status, Thread, ThreadPlace } from './records.js';

export interface World {
  readonly owner: string;
  readonly name: string;
  readonly repository: BareRepository;
  readonly pulls: Map<number, Pull>;
  readonly issues: Map<number, Issue>;
  readonly statuses: Status[];
  readonly checkRuns: CheckRun[];
  now(): Date;
  nextId(): number;
  nextNumber(): number;
  refOf(branch: string, owner?: string): string;
  tip(branch: string, owner?: string): Promise<string | undefined>;
  /** Moves a branch; pull requests follow. */
  setBranch(at: BranchPlace, commit: string): Promise<void>;
  /** What the pull request shows at a head of its own. */
  diffOf(pull: Pull, head?: string): Promise<readonly DiffFile[]>;
  addThread(pull: Pull, place: ThreadPlace, made: MadeThread): Promise<Thread>;
  findComment(id: number): FoundComment | undefined;
  findThread(id: string): { readonly pull: Pull; readonly thread: Thread } | undefined;
  removeComment(id: number): void;
  newComment(author: string, body: string): Comment;
}

export interface BranchPlace {
  readonly branch: string;
  /** Of a fork. */
  readonly owner?: string | undefined;
}

export interface MadeThread {
  readonly commit: string;
  readonly reviewId: number;
  readonly author: string;
  readonly body: string;
}

export interface FoundComment {
  readonly pull: Pull;
  readonly comment: Comment;
  /** Undefined for a comment on the pull request as a whole. */
  readonly thread: Thread | undefined;
}

export interface WorldOptions {
  readonly repository: BareRepository;
  readonly fullName: string;
  readonly now: () => number;
  /** Under which name the head of a pull request is kept. */
  headRef(number: number): string;
  threadId(id: number): string;
}

export function createWorld({ repository, fullName, now, headRef, threadId }: WorldOptions): World {
  const [owner = '', name = ''] = splitName(fullName);
  // Above what fits into 31 bits, as on the real ones.
  let lastId = 2_400_000_000;
  let lastNumber = 0;
  const diffs = new Map<string, Promise<DiffFile[]>>();
  const diff = (from: string, to: string, context: number) => {
    const key = `${from} ${to} ${context}`;
    const found = diffs.get(key) ?? readDiff(repository, { from, to, context });
    diffs.set(key, found);
    return found;
  };

  const world: World = {
    ...{ owner, name, repository },
    pulls: new Map(),
    issues: new Map(),
    statuses: [],
    checkRuns: [],
    now: () => new Date(now()),
    nextId: () => {
      lastId += 1;
      return lastId;
    },
    nextNumber: () => {
      lastNumber += 1;
      return lastNumber;
    },
    refOf: (branch, of = owner) => (of === owner ? `refs/heads/${branch}` : `refs/forks/${of}/${branch}`),
    tip: (branch, of) => repository.commitOf(world.refOf(branch, of)),

    async setBranch({ branch, owner: of = owner }, commit) {
      await repository.setRef(world.refOf(branch, of), commit);
      for (const pull of world.pulls.values()) {
        if (pull.state !== 'open') continue;
        if (pull.head.branch === branch && pull.head.owner === of) await synchronize(pull, commit);
        // What the base has is merged, whoever put it there.
        else if (
          pull.base.branch === branch &&
          of === owner &&
          (await repository.isAncestor(pull.head.commit, commit))
        )
          Object.assign(pull, { state: 'merged', closedAt: world.now(), updatedAt: world.now() });
      }
    },

    async diffOf(pull, head = pull.head.commit) {
      const base =
        head === pull.head.commit ? pull.mergeBase : await repository.mergeBase(pull.base.commit, head);
      return await diff(base ?? pull.mergeBase, head, 3);
    },

    async addThread(pull, place, { commit, reviewId, author, body }) {
      const file = (await world.diffOf(pull, commit)).find(({ path }) => path === place.path);
      const thread: Thread = {
        ...place,
        hunk: file === undefined ? '' : hunkUpTo(file, place.side, place.line),
        id: threadId(world.nextId()),
        ...{ commit, reviewId },
        mergeBase: pull.mergeBase,
        comments: [world.newComment(author, body)],
        isResolved: false,
        resolvedBy: undefined,
        now: { line: place.line, startLine: place.startLine },
      };
      await recheck(thread, pull);
      pull.threads.push(thread);
      return thread;
    },

    findComment(id) {
      for (const pull of world.pulls.values()) {
        const comment = pull.comments.find((each) => each.id === id);
        if (comment !== undefined) return { pull, comment, thread: undefined };
        for (const thread of pull.threads) {
          const said = thread.comments.find((each) => each.id === id);
          if (said !== undefined) return { pull, comment: said, thread };
        }
      }
      return undefined;
    },
    findThread(id) {
      for (const pull of world.pulls.values()) {
        const thread = pull.threads.find((each) => each.id === id);
        if (thread !== undefined) return { pull, thread };
      }
      return undefined;
    },
    removeComment(id) {
      const found = world.findComment(id);
      if (found === undefined) return;
      const { pull, thread } = found;
      const list = thread?.comments ?? pull.comments;
      list.splice(list.indexOf(found.comment), 1);
      pull.threads = pull.threads.filter(({ comments }) => comments.length > 0);
      pull.updatedAt = world.now();
    },
    newComment: (author, body) => ({
      ...{ id: world.nextId(), author, body, reactions: [] },
      createdAt: world.now(),
      updatedAt: world.now(),
    }),
  };

  async function synchronize(pull: Pull, commit: string): Promise<void> {
    pull.pushes.push({ id: world.nextId(), before: pull.head.commit, commit, at: world.now() });
    pull.head.commit = commit;
    pull.base.commit = (await world.tip(pull.base.branch)) ?? pull.base.commit;
    pull.mergeBase = await mergeBaseOf(repository, pull.base.commit, commit);
    pull.updatedAt = world.now();
    await repository.setRef(headRef(pull.number), commit);
    for (const thread of pull.threads) await recheck(thread, pull);
  }

  /** A line that moved is followed from where it was made; one that was changed, or left the diff, is not there any more. */
  async function recheck(thread: Thread, pull: Pull): Promise<void> {
    const { side, path, oldPath } = thread;
    const [from, to] =
      side === 'new' ? [thread.commit, pull.head.commit] : [thread.mergeBase, pull.mergeBase];
    const between = (await repository.commitOf(from)) === undefined ? undefined : await diff(from, to, 0);
    const file = (await world.diffOf(pull)).find((each) => each.path === path);
    const find = (number: number) => {
      const moved = between && followLine(between, side === 'new' ? path : oldPath, number);
      return file !== undefined && moved !== undefined ? lineInDiff(file, side, moved)?.[side] : undefined;
    };
    const [line, startLine] = [find(thread.line), find(thread.startLine)];
    thread.now = line === undefined || startLine === undefined ? undefined : { line, startLine };
  }

  return world;
}

export async function mergeBaseOf(repository: BareRepository, base: string, head: string): Promise<string> {
  const found = await repository.mergeBase(base, head);
  if (found === undefined)
    throw new GalleyError('NO_MERGE_BASE', 'The two branches have no history in common.');
  return found;
}

/** The last part is the name; GitLab has groups within groups. */
function splitName(fullName: string): [string, string] {
  const at = fullName.lastIndexOf('/');
  return [fullName.slice(0, at), fullName.slice(at + 1)];
}
