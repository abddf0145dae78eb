// What GitLab's API says of merge requests, discussions and people.
import { createHash } from 'node:crypto';
import { type DiffFile, type HunkLine, lineInDiff } from '../host/diff.js';
import type { Comment, Pull, Push, Thread } from '../host/records.js';
import type { World } from '../host/world.js';
import { diffRefs, lineCode, lineNumbers, lineType } from './position.js';

export const projectId = 4711;

export function bodies(world: World, url: string) {
  const user = (login: string) => ({ id: userId(login), username: login, name: login, state: 'active' });
  const plain = (comment: Comment) => ({
    id: comment.id,
    type: null as string | null,
    body: comment.body,
    author: user(comment.author),
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
    system: false,
    noteable_type: 'MergeRequest',
    resolvable: false,
    confidential: false,
  });
  return {
    user,
    plain,
    /** Lists leave out what only a single merge request has. */
    listed: (pull: Pull) => ({
      id: pull.id,
      iid: pull.number,
      project_id: projectId,
      title: pull.isDraft ? `Draft: ${pull.title}` : pull.title,
      description: pull.description === '' ? null : pull.description,
      state: pull.state === 'open' ? 'opened' : pull.state,
      draft: pull.isDraft,
      author: user(pull.author),
      source_branch: pull.head.branch,
      target_branch: pull.base.branch,
      source_project_id: pull.head.owner === world.owner ? projectId : projectId + 1,
      target_project_id: projectId,
      sha: pull.head.commit,
      merge_commit_sha: pull.mergeCommit ?? null,
      merged_at: pull.state === 'merged' ? (pull.closedAt ?? pull.updatedAt).toISOString() : null,
      web_url: `${url}/${world.owner}/${world.name}/-/merge_requests/${pull.number}`,
      created_at: pull.createdAt.toISOString(),
      updated_at: pull.updatedAt.toISOString(),
    }),
    refs: (pull: Pull) => ({ diff_refs: diffRefs(pull) }),
    individual: (comment: Comment) => ({
      id: discussionId(comment.id),
      individual_note: true,
      notes: [plain(comment)],
    }),
    /** What GitLab itself notes down among the rest. */
    pushed: ({ id, commit, at }: Push, author: string) => ({
      id: discussionId(id),
      individual_note: true,
      notes: [
        {
          ...plain({
            ...{ id, author, reactions: [] },
            body: `added 1 commit\n\n* ${commit.slice(0, 8)}`,
            createdAt: at,
            updatedAt: at,
          }),
          system: true,
        },
      ],
    }),
    thread: (pull: Pull, thread: Thread, diff: readonly DiffFile[]) => ({
      id: thread.id,
      individual_note: false,
      notes: thread.comments.map((comment) => ({
        ...plain(comment),
        type: 'DiffNote',
        resolvable: true,
        resolved: thread.isResolved,
        resolved_by: thread.resolvedBy === undefined ? null : user(thread.resolvedBy),
        position: shownPosition(pull, thread, diff),
      })),
    }),
  };
}

/** Follows its line as long as that is in the diff, and stays behind where it was made once it is not. */
function shownPosition(pull: Pull, thread: Thread, diff: readonly DiffFile[]) {
  const { path, oldPath, side, now } = thread;
  const paths = { old_path: oldPath, new_path: path, position_type: 'text' };
  const file = diff.find((each) => each.path === path);
  const line = file && now && lineInDiff(file, side, now.line);
  const first = file && now && lineInDiff(file, side, now.startLine);
  if (line === undefined || first === undefined) {
    const made = { base_sha: thread.mergeBase, start_sha: thread.mergeBase, head_sha: thread.commit };
    const [old, next] = side === 'old' ? [thread.line, null] : [null, thread.line];
    return { ...made, ...paths, old_line: old, new_line: next };
  }
  const end = (at: HunkLine) => ({
    line_code: lineCode({ path }, at),
    type: lineType(at),
    ...lineNumbers(at),
  });
  const isRange = now!.line !== now!.startLine;
  return {
    ...diffRefs(pull),
    ...paths,
    ...lineNumbers(line),
    line_range: isRange ? { start: end(first), end: end(line) } : null,
  };
}

export function discussionId(id: number): string {
  return createHash('sha1').update(`discussion ${id}`).digest('hex');
}

export function userId(login: string): number {
  return Number.parseInt(createHash('sha1').update(login).digest('hex').slice(0, 7), 16);
}
