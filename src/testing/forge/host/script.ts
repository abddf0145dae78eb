// What people do on a forge while nobody asks its API: they push, open and merge pull requests, answer, resolve, object, edit.
import { GalleyError } from '../../../core/model/error.js';
import type { Comment, Pull, Thread } from './records.js';
import { type BranchPlace, mergeBaseOf, type World } from './world.js';

export interface ScriptedCommit extends BranchPlace {
  /** `null` removes a file. */
  readonly files: Readonly<Record<string, string | Buffer | null>>;
  /** Branch or commit it stands on; the branch itself when left out, and nothing for the first. */
  readonly from?: string;
  /** Needed where the branch does not lead there. */
  readonly force?: boolean;
  readonly message?: string;
  readonly author?: string;
}

export interface ScriptedPush extends BranchPlace {
  readonly commit: string;
  /** A repository on this machine that has the commit; not needed where the forge has it. */
  readonly folder?: string;
  readonly force?: boolean;
}

export interface ScriptedPull {
  readonly head: string;
  /** `main` when left out. */
  readonly base?: string;
  /** Of the fork the head lies in. */
  readonly owner?: string;
  readonly title?: string;
  readonly description?: string;
  readonly author?: string;
  readonly isDraft?: boolean;
  /** Issues that merging it closes. */
  readonly closes?: readonly { readonly title: string; readonly text: string }[];
}

/** What one person does; ids are those of the view of a pull request. */
export interface Person {
  comment(number: number, body: string): number;
  /** In a thread, named by its id or by that of any comment in it. */
  reply(thread: string | number, body: string): number;
  resolve(thread: string | number): void;
  unresolve(thread: string | number): void;
  react(comment: number, content: '+1' | '-1'): void;
  edit(comment: number, body: string): void;
  remove(comment: number): void;
}

export interface ForgeScript {
  /** Gives the id of the new commit, which is the tip of the branch then. */
  commit(change: ScriptedCommit): Promise<string>;
  push(push: ScriptedPush): Promise<void>;
  deleteBranch(branch: BranchPlace): Promise<void>;
  /** Gives its number. */
  openPull(pull: ScriptedPull): Promise<number>;
  editPull(number: number, change: Partial<Pick<Pull, 'title' | 'description' | 'isDraft'>>): void;
  /** Gives the commit of the merge. */
  merge(number: number, by?: string): Promise<string>;
  closePull(number: number): void;
  as(login: string): Person;
}

export interface ScriptRules {
  /** Whether a pull request ends with its branch. */
  readonly closesWithBranch: boolean;
  headRef(number: number): string;
}

export function forgeScript(world: World, rules: ScriptRules): ForgeScript {
  const { repository } = world;
  const move = async (place: BranchPlace, commit: string, force: boolean | undefined) => {
    const before = await world.tip(place.branch, place.owner);
    if (before !== undefined && force !== true && !(await repository.isAncestor(before, commit)))
      throw unknown('The branch does not lead to that commit; push it with force.');
    await world.setBranch(place, commit);
  };

  return {
    async commit({ branch, owner, files, from, force, message = 'Change', author = 'ada' }) {
      const start = from ?? (await world.tip(branch, owner));
      const parent = start === undefined ? undefined : await repository.commitOf(start);
      if (from !== undefined && parent === undefined) throw unknown('There is no such commit to begin from.');
      const commit = await repository.writeCommit({
        parents: parent === undefined ? [] : [parent],
        ...{ files, message, author },
        date: world.now(),
      });
      await move({ branch, owner }, commit, force);
      return commit;
    },
    async push({ branch, owner, commit, folder, force }) {
      if (folder !== undefined) await repository.takeFrom(folder, [commit]);
      await move({ branch, owner }, commit, force);
    },
    async deleteBranch({ branch, owner = world.owner }) {
      await repository.deleteRef(world.refOf(branch, owner));
      for (const pull of world.pulls.values())
        if (rules.closesWithBranch && isFrom(pull, branch, owner)) close(pull);
    },

    async openPull({ head, base = 'main', owner = world.owner, author = 'ada', ...rest }) {
      const [commit, onto] = [await world.tip(head, owner), await world.tip(base)];
      if (commit === undefined || onto === undefined) throw unknown('There is no such branch.');
      const closes = (rest.closes ?? []).map((issue) => ({ number: world.nextNumber(), ...issue }));
      for (const issue of closes) world.issues.set(issue.number, issue);
      const number = world.nextNumber();
      world.pulls.set(number, {
        id: world.nextId(),
        ...{ number, author, closes },
        head: { branch: head, owner, commit },
        base: { branch: base, commit: onto },
        mergeBase: await mergeBaseOf(repository, onto, commit),
        title: rest.title ?? 'A change',
        description: rest.description ?? '',
        isDraft: rest.isDraft ?? false,
        state: 'open',
        mergeCommit: undefined,
        ...{ pushes: [], comments: [], threads: [], reviews: [] },
        ...{ createdAt: world.now(), updatedAt: world.now(), closedAt: undefined },
      });
      await repository.setRef(rules.headRef(number), commit);
      return number;
    },
    editPull(number, change) {
      Object.assign(pullOf(number), change, { updatedAt: world.now() });
    },
    async merge(number, by = 'ada') {
      const pull = pullOf(number);
      const onto = (await world.tip(pull.base.branch))!;
      const tree = (await repository.git(['merge-tree', '--write-tree', onto, pull.head.commit])).trim();
      const commit = await repository.writeCommit({
        parents: [onto, pull.head.commit],
        ...{ tree, files: {} },
        message: `Merge pull request #${number}`,
        author: by,
        date: world.now(),
      });
      pull.mergeCommit = commit;
      await world.setBranch({ branch: pull.base.branch }, commit);
      return commit;
    },
    closePull: (number) => close(pullOf(number)),

    as: (login) => ({
      comment(number, body) {
        const pull = pullOf(number);
        return say(pull, pull.comments, { login, body });
      },
      reply(name, body) {
        const { pull, thread } = threadOf(name);
        return say(pull, thread.comments, { login, body });
      },
      resolve(name) {
        Object.assign(threadOf(name).thread, { isResolved: true, resolvedBy: login });
      },
      unresolve(name) {
        Object.assign(threadOf(name).thread, { isResolved: false, resolvedBy: undefined });
      },
      react(id, content) {
        commentOf(id).reactions.push({ login, content });
      },
      edit(id, body) {
        Object.assign(commentOf(id), { body, updatedAt: world.now() });
      },
      remove(id) {
        commentOf(id);
        world.removeComment(id);
      },
    }),
  };

  function say(pull: Pull, list: Comment[], said: { readonly login: string; readonly body: string }): number {
    const comment = world.newComment(said.login, said.body);
    list.push(comment);
    pull.updatedAt = world.now();
    return comment.id;
  }
  function isFrom({ head, state }: Pull, branch: string, owner: string): boolean {
    return state === 'open' && head.branch === branch && head.owner === owner;
  }
  function close(pull: Pull): void {
    Object.assign(pull, { state: 'closed', closedAt: world.now(), updatedAt: world.now() });
  }
  function pullOf(number: number): Pull {
    const pull = world.pulls.get(number);
    if (pull === undefined) throw unknown('There is no such pull request.');
    return pull;
  }
  function commentOf(id: number): Comment {
    const found = world.findComment(id);
    if (found === undefined) throw unknown('There is no such comment.');
    return found.comment;
  }
  function threadOf(name: string | number): { readonly pull: Pull; readonly thread: Thread } {
    const found = typeof name === 'string' ? world.findThread(name) : world.findComment(name);
    if (found?.thread === undefined) throw unknown('There is no such thread.');
    return { pull: found.pull, thread: found.thread };
  }
}

function unknown(message: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', message);
}
